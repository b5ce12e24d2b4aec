import { type Delimiter, type Dialect, usualDelimiters } from './dialect.ts';
import { countHeaderWords } from './header-words.ts';
import { readHead } from './read-head.ts';

const alikeMin = 0.9;
const quote = 34;

/**
 * Whether whole lines stand in quotes once more, and what then separates their cells: so it is written where a program
 * took each line for a single cell. `known`: the delimiter, where that is known. Null where that is not certain: a single column of texts in quotes looks alike.
 */
export function wrappedDelimiter(
  head: Uint8Array,
  complete: boolean,
  basis: Dialect,
  known: Delimiter | null,
): Delimiter | null {
  if (head[basis.bomBytes] !== quote) return null;
  let widest: { delimiter: Delimiter; columns: number } | null = null;
  for (const delimiter of known === null ? usualDelimiters : [known]) {
    if (!head.includes(delimiter.charCodeAt(0))) continue;
    const dialect: Dialect = { ...basis, delimiter, quote: '"' };
    if (!isSingleColumn(readHead(head, complete, dialect).records)) continue;
    const { records } = readHead(head, complete, { ...dialect, wrappedLines: true });
    const [header = []] = records;
    const alike = records.filter((record) => record.length === header.length).length;
    const isTable = records.length > 1 && alike >= records.length * alikeMin && namesColumns(header);
    if (!isTable || isSpaced(records)) continue;
    if (widest === null || header.length > widest.columns) widest = { delimiter, columns: header.length };
  }
  return widest?.delimiter ?? null;
}

const isSingleColumn = (records: readonly string[][]) =>
  records.filter((record) => record.length === 1).length >= records.length * alikeMin;

const namesColumns = (header: readonly string[]) => header.length > 2 || countHeaderWords(header) > 1;

/** Spaces behind what looks like a delimiter belong to sentences. */
function isSpaced(records: readonly string[][]): boolean {
  const cells = records.flatMap((record) => record.slice(1));
  return cells.filter((cell) => cell.startsWith(' ')).length > cells.length * 0.3;
}
