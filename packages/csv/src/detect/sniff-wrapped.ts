import { type Delimiter, type Dialect, usualDelimiters } from '../dialect.ts';
import { commonWidth } from './common-width.ts';
import { countHeaderWords } from './header-vocabulary.ts';
import { readHead } from './read-head.ts';
import { likeliestSeparators } from './sniff-delimiter.ts';

const alikeMin = 0.9;
/** Fewer columns are no proof where only some lines stand in quotes as a whole: a text may have a comma or two. */
const columnsMin = 3;
const quote = 34;
const lf = 10;
const cr = 13;

/**
 * Whether lines stand in quotes once more, and what then separates their cells. So it is written where a program took
 * each line for a single cell: it puts all of them in quotes, or those that hold a quote or a separator of its own.
 * `known`: the delimiter, where that is known. Null where that is not certain: a single column of texts in quotes looks
 * alike.
 */
export function wrappedDelimiter(
  head: Uint8Array,
  complete: boolean,
  basis: Dialect,
  known: Delimiter | null,
): Delimiter | null {
  if (!beginsLineWithQuote(head, basis.bomBytes)) return null;
  let widest: { delimiter: Delimiter; columns: number } | null = null;
  for (const delimiter of known === null ? usualDelimiters : [known]) {
    if (!head.includes(delimiter.charCodeAt(0))) continue;
    const dialect: Dialect = { ...basis, delimiter, quote: '"' };
    const columns = wrappedColumns(head, complete, dialect, known);
    if (columns !== null && (widest === null || columns > widest.columns)) widest = { delimiter, columns };
  }
  return widest?.delimiter ?? null;
}

/** How many columns the table has if lines are read again that stand in quotes; null where that makes no table. */
function wrappedColumns(
  head: Uint8Array,
  complete: boolean,
  dialect: Dialect,
  known: Delimiter | null,
): number | null {
  const plain = readHead(head, complete, dialect).records;
  const areWhole = plain.map(([first = '', ...rest]) => isWhole(first, rest, dialect.delimiter));
  const wholes = areWhole.filter(Boolean).length;
  if (wholes === 0) return null;
  const { records } = readHead(head, complete, { ...dialect, wrappedLines: true });
  const read = records.filter((_, at) => areWhole[at]);
  if (isSpaced(read)) return null;
  const singles = plain.filter(({ length }, at) => length === 1 || areWhole[at]).length;
  if (singles >= plain.length * alikeMin) {
    const [header = []] = records;
    const isTable = records.length > 1 && areAlike(records, header.length) && namesColumns(header);
    return isTable ? header.length : null;
  }
  const others = plain.filter((_, at) => !areWhole[at]);
  const { width: columns, count } = commonWidth(others);
  if (columns < columnsMin || count * 2 <= others.length || !areAlike(read, columns)) return null;
  const areForced = plain.every(([first = ''], at) => !areWhole[at] || needsQuotes(first, dialect.delimiter));
  if (!areForced) return null;
  // In a table of semicolons there are as many commas in every row that has two prices, and in some note.
  const isLikeliest = () => likeliestSeparators(head, complete, dialect).delimiter === dialect.delimiter;
  return known !== null || isLikeliest() ? columns : null;
}

/** Where only some lines stand in quotes, the program put them there for this; a note among them has commas alone. */
const needsQuotes = (line: string, delimiter: Delimiter) =>
  line.includes('"') || usualDelimiters.some((other) => other !== delimiter && line.includes(other));

function beginsLineWithQuote(head: Uint8Array, from: number): boolean {
  for (let at = head.indexOf(quote, from); at >= 0; at = head.indexOf(quote, at + 1)) {
    if (at === from || head[at - 1] === lf || head[at - 1] === cr) return true;
  }
  return false;
}

/** Behind the quote that closes a line there may be separators: the program's own columns, all of them empty. */
const isWhole = (first: string, rest: readonly string[], delimiter: Delimiter) =>
  first.includes(delimiter) && rest.every(isBlank);

const isBlank = (cell: string) => cell.trim() === '';

const areAlike = (records: readonly string[][], columns: number) =>
  records.filter(({ length }) => length === columns).length >= records.length * alikeMin;

const namesColumns = (header: readonly string[]) => header.length > 2 || countHeaderWords(header) > 1;

/** Spaces behind what looks like a delimiter belong to sentences. */
function isSpaced(records: readonly string[][]): boolean {
  const cells = records.flatMap((record) => record.slice(1));
  return cells.filter((cell) => cell.startsWith(' ')).length > cells.length * 0.3;
}
