import { isOwnDownload } from '../own-download.ts';
import { type CellKind, cellKind } from './cell-kind.ts';
import { countHeaderWords } from './header-vocabulary.ts';

const searchMax = 30;
const bodyMax = 100;

export type TableStart = { record: number; named: boolean };

/** Returns the first record as wide as the table, at or after index `from`. `named`: its cells are column names. */
export function findTableStart(records: readonly string[][], from: number): TableStart {
  const ofDownload = records
    .slice(0, searchMax)
    .findIndex((record, at) => at >= from && isOwnDownload(record));
  if (ofDownload !== -1) return { record: ofDownload, named: true };
  const filled = records.map((record) => record.filter((cell) => cell.trim() !== '').length);
  if (namesOnlyColumn(records, filled, from)) return { record: from, named: true };
  // The upper quartile is used, because notes above a short table and sparse variant rows must not set the width.
  const typical = quantile(filled.slice(from), 0.75);
  const isWide = (at: number) =>
    (filled[at] as number) * 2 > typical && !isComment(records[at] as string[], records[at + 1]);
  const end = Math.min(records.length, searchMax);
  let first = from;
  while (first < end && !isWide(first)) first += 1;
  if (first >= end) return { record: Math.min(from, Math.max(records.length - 1, 0)), named: true };
  const record = betterHeader(records, filled, { first, end, typical }) ?? first;
  if (nextHasProgramNames(records, filled, record)) return { record: record + 1, named: true };
  return { record, named: record !== first || isHeader(records, record) };
}

// Marketplace templates have a second header of program names below the first: `item_sku` below `Händler-SKU`.
function nextHasProgramNames(records: readonly string[][], filled: readonly number[], record: number) {
  const next = (records[record + 1] ?? []).map((cell) => cell.trim()).filter((cell) => cell !== '');
  return (
    next.length > 2 &&
    next.length >= (filled[record] as number) * 0.9 &&
    next.every((cell) => programName.test(cell)) &&
    next.filter((cell) => /[_-]/.test(cell)).length * 2 > next.length &&
    countHeaderWords(next) * 3 >= next.length &&
    new Set(next).size === next.length &&
    (records[record] as string[]).some((cell) => /\p{Lu}/u.test(cell))
  );
}

const programName = /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/;

/** Whether the table is one named column whose texts contain separators: `title` above `Chair, oak`. */
function namesOnlyColumn(records: readonly string[][], filled: readonly number[], from: number): boolean {
  const below = records.slice(from + 1, from + 7);
  return (
    filled[from] === 1 &&
    countHeaderWords(records[from] as string[]) === 1 &&
    below.every((record) => countHeaderWords(record) < 2)
  );
}

// Finds the header below a note that is at least half as wide: `Date:,2020-05-01` above `sku,name,price`.
function betterHeader(
  records: readonly string[][],
  filled: readonly number[],
  { first, end, typical }: { first: number; end: number; typical: number },
): number | null {
  const note = records[first] as string[];
  const words = countHeaderWords(note);
  const width = filled[first] as number;
  const isNote = !hasSeriesNames(note);
  for (let at = first + 1; at < Math.min(end, first + 6); at += 1) {
    const record = records[at] as string[];
    const cells = filled[at] as number;
    if (cells < width || !looksLikeNames(record)) continue;
    const found = countHeaderWords(record);
    const wider = cells >= width * 1.3 && cells > width + 1;
    if (cells > width && (wider ? found > Math.max(words, 1) : found >= words + 2)) return at;
    // The cells of a header differ in kind from the cells below them. The cells of a note mostly do not.
    const votes = votesAbove(records, at, at);
    const others = votesAbove(records, first, at);
    const mayBeProse = words * 2 <= width;
    const isStronger =
      votes >= others + 1 || (votes >= others && found > words) || (mayBeProse && isProse(note, record));
    if (isNote && cells >= typical && votes >= 1 && isStronger) return at;
  }
  return null;
}

// Whether a note has spaces after its commas, like a sentence, while the record below has none.
function isProse(note: readonly string[], below: readonly string[]): boolean {
  const isSpaced = (cell: string) => cell.startsWith(' ');
  const cells = note.slice(1).filter((cell) => cell.trim() !== '');
  return cells.length > 0 && cells.every(isSpaced) && !below.some(isSpaced);
}

function votesAbove(records: readonly string[][], record: number, header: number): number {
  const { names, values } = columnVotes(records[record] as string[], bodyBelow(records, header));
  return names - values;
}

function looksLikeNames(record: readonly string[]): boolean {
  const cells = record.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return (
    cells.length > 1 &&
    new Set(cells).size === cells.length &&
    cells.every((cell) => cell.length <= 60 && (cellKind(cell) === 'text' || cellKind(cell) === 'code'))
  );
}

/** Whether a record is a comment: '#' begins its only cell or several, or the next record has the same '#word'. */
function isComment(record: readonly string[], next: readonly string[] | undefined): boolean {
  const mark = /^#\p{L}*/u.exec(record[0] ?? '')?.[0];
  if (mark !== undefined && mark.length > 1 && next?.[0]?.split(' ')[0] === mark) return true;
  const cells = record.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const marked = cells.filter((cell) => cell.length > 1 && cell.startsWith('#')).length;
  return cells[0]?.startsWith('#') === true && (marked > 1 || (marked === 1 && cells.length === 1));
}

// Whether a record is a header: its cells are known words, or differ in kind from the cells below. A tie means yes.
function isHeader(records: readonly string[][], at: number): boolean {
  const header = records[at] as string[];
  const body = bodyBelow(records, at);
  if (isSeries(header)) return true;
  if (body.length === 0)
    return countHeaderWords(header) > 0 || !header.some((cell) => isTyped(cellKind(cell.trim())));
  const { names, values } = columnVotes(header, body);
  return values < 1 || values <= names + countHeaderWords(header);
}

/** Returns up to 100 rows below a header. Repeats of the header are left out, unless there are no other rows. */
function bodyBelow(records: readonly string[][], at: number): readonly string[][] {
  const header = records[at] as string[];
  const below = records.slice(at + 1, at + 1 + bodyMax);
  const others = below.filter((record) =>
    record.some((cell, column) => cell.trim() !== header[column]?.trim()),
  );
  return others.length > 0 ? others : below;
}

function columnVotes(header: readonly string[], body: readonly string[][]) {
  const votes = header.map((cell, column) =>
    columnVote(
      cell.trim(),
      body.map((record) => record[column]?.trim() ?? ''),
    ),
  );
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  return { names: sum(votes.filter((vote) => vote > 0)), values: -sum(votes.filter((vote) => vote < 0)) };
}

/** Returns a vote above 0 if a cell looks like a name, and below 0 if it looks like the values below it. */
function columnVote(cell: string, values: readonly string[]): number {
  const given = values.filter((value) => value !== '');
  const kind = cellKind(cell);
  if (kind === 'empty' || given.length === 0) return 0;
  const below = commonKind(given);
  if (below === null || below === 'text') {
    if (isTyped(kind)) return -0.5;
    if (kind === 'text' && given.includes(cell)) return -0.7;
    if (isNumberedLike(cell, given)) return -1;
    const length = median(given.map((value) => value.length));
    if (cell.length > 60) return -0.7;
    return length > 25 && cell.length < 20 ? 0.5 : 0;
  }
  if (kind === below) {
    if (kind !== 'code') return -1;
    return given.some((value) => shapeOf(value) === shapeOf(cell)) ? -1 : 0;
  }
  // A date or number may be the name of a column with cells of another kind ('stock by day'), so it proves nothing.
  if (isTyped(kind)) return 0;
  return kind === 'text' ? 1 : 0.5;
}

const isTyped = (kind: CellKind) =>
  kind === 'number' || kind === 'date' || kind === 'link' || kind === 'flag';

/** Whether a cell with a number has the same shape as several values: 'Chair 055 oak' above 'Table 086 elm'. */
function isNumberedLike(cell: string, values: readonly string[]): boolean {
  if (!/\d/.test(cell)) return false;
  const shape = shapeOf(cell);
  return values.filter((value) => shapeOf(value) === shape).length >= Math.max(2, values.length * 0.2);
}

// Returns the kind of at least 70 % of the values, `code` if 90 % are numbers or codes, else null.
function commonKind(values: readonly string[]): CellKind | null {
  const counts = new Map<CellKind, number>();
  for (const value of values) counts.set(cellKind(value), (counts.get(cellKind(value)) ?? 0) + 1);
  for (const [kind, count] of counts) if (count >= values.length * 0.7) return kind;
  const coded = (counts.get('code') ?? 0) + (counts.get('number') ?? 0);
  return coded >= values.length * 0.9 ? 'code' : null;
}

const shapeOf = (text: string) =>
  text
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/\p{Ll}+/gu, 'a')
    .replace(/\d+/g, '0');

/** Whether years or sizes in equal steps name the columns: `Item;2019;2020;2021` or `Style;36;38;40`. */
function isSeries(header: readonly string[]): boolean {
  const numbers = header.filter((cell) => /^\s*\d{1,4}\s*$/.test(cell)).map(Number);
  if (numbers.length < 3 || numbers.length < header.length / 2) return false;
  const step = (numbers[1] as number) - (numbers[0] as number);
  return step > 0 && numbers.every((value, at) => at === 0 || value === (numbers[at - 1] as number) + step);
}

/** Whether a record has numbers in equal steps, or at least three dates. Such a record is a header, not a note. */
function hasSeriesNames(record: readonly string[]): boolean {
  const dates = record.map((cell) => cell.trim()).filter((cell) => cellKind(cell) === 'date');
  return isSeries(record) || (new Set(dates).size > 2 && dates.length * 2 > record.length);
}

const median = (numbers: readonly number[]) => quantile(numbers, 0.5);

function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
