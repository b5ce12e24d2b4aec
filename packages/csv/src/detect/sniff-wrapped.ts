import { type Delimiter, type Dialect, usualDelimiters } from '../dialect.ts';
import { commonWidth } from './common-width.ts';
import { countHeaderWords } from './header-vocabulary.ts';
import { readHead } from './read-head.ts';
import { sniffSeparators } from './sniff-delimiter.ts';

const alikeMin = 0.9;
/** Minimum number of columns if only some lines are wrapped, because a quoted text may contain a comma or two. */
const columnsMin = 3;
const quote = 34;
const lf = 10;
const cr = 13;

/** Returns the delimiter inside lines that are quoted as a whole (`"A-1,Chair,10"`), or null if that is uncertain. */
export function sniffInnerDelimiter(
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

function wrappedColumns(head: Uint8Array, complete: boolean, dialect: Dialect, known: Delimiter | null) {
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
  const allNeedQuotes = plain.every(
    ([first = ''], at) => !areWhole[at] || needsQuotes(first, dialect.delimiter),
  );
  if (!allNeedQuotes) return null;
  // Rows separated by semicolons may also have two decimal commas, so the comma must be the likeliest delimiter.
  const isLikeliest = () => sniffSeparators(head, complete, dialect).delimiter === dialect.delimiter;
  return known !== null || isLikeliest() ? columns : null;
}

/** Whether a line contains a quote or a delimiter other than `delimiter`: programs then quote the whole line. */
const needsQuotes = (line: string, delimiter: Delimiter) =>
  line.includes('"') || usualDelimiters.some((other) => other !== delimiter && line.includes(other));

function beginsLineWithQuote(head: Uint8Array, from: number): boolean {
  for (let at = head.indexOf(quote, from); at >= 0; at = head.indexOf(quote, at + 1)) {
    if (at === from || head[at - 1] === lf || head[at - 1] === cr) return true;
  }
  return false;
}

/** Whether a record is one quoted line. Empty cells may follow it, because some programs add empty columns. */
const isWhole = (first: string, rest: readonly string[], delimiter: Delimiter) =>
  first.includes(delimiter) && rest.every(isBlank);

const isBlank = (cell: string) => cell.trim() === '';

const areAlike = (records: readonly string[][], columns: number) =>
  records.filter(({ length }) => length === columns).length >= records.length * alikeMin;

const namesColumns = (header: readonly string[]) => header.length > 2 || countHeaderWords(header) > 1;

/** Whether many cells begin with a space, which shows that the apparent delimiters are commas of sentences. */
function isSpaced(records: readonly string[][]): boolean {
  const cells = records.flatMap((record) => record.slice(1));
  return cells.filter((cell) => cell.startsWith(' ')).length > cells.length * 0.3;
}
