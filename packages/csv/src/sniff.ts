import { type Delimiter, type Dialect, delimiters } from './dialect.ts';
import { readLimitsDefault } from './limits.ts';
import { scan } from './scan.ts';

/** So much of a file's beginning is worth giving to `sniff`. */
export const headBytesMax = 256 * 1024;

/** So many records are enough to judge by, and so few are too few. */
const recordsMax = 1000;
const recordsWanted = 20;
const headerSearchMax = 30;

/** What one way of reading makes of the head. */
type Reading = {
  /** Cells of the first records. */
  records: string[][];
  quoteIssues: number;
};

/**
 * Judges the dialect from the head of a file, by reading it in every way that is possible and taking the one with the
 * most regular records. `complete`: the head is the whole file. Never throws; a file with a single column is a comma's.
 */
export function sniff(head: Uint8Array, complete: boolean): Dialect {
  const bomBytes = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  const basis: Dialect = { encoding: 'utf-8', delimiter: ',', quote: '"', bomBytes, headerRecord: 0 };
  if (endsLinesByCr(head)) basis.crEndsLine = true;
  const named = namedDelimiter(head.subarray(bomBytes));
  if (named !== null) basis.delimiter = named;
  else basis.delimiter = likeliestDelimiter(head, complete, basis);
  const dialect = withHabits(head, complete, basis);
  const { records } = read(head, complete, dialect);
  dialect.headerRecord = headerRecordOf(records, named === null ? 0 : 1);
  return dialect;
}

/** Lone CRs are line ends where they are the rule: more of them than LFs. */
function endsLinesByCr(head: Uint8Array): boolean {
  let lone = 0;
  let lf = 0;
  for (let at = 0; at < head.length; at += 1) {
    if (head[at] === 10) lf += 1;
    else if (head[at] === 13 && at + 1 < head.length && head[at + 1] !== 10 && head[at + 1] !== 13) lone += 1;
  }
  return lone > lf;
}

/** Excel's own hint: a first line `sep=;`. */
function namedDelimiter(head: Uint8Array): Delimiter | null {
  const line = /^"?sep=(.)"?[\r\n]/i.exec(new TextDecoder('latin1').decode(head.subarray(0, 16)));
  return delimiters.find((delimiter) => delimiter === line?.[1]) ?? null;
}

function likeliestDelimiter(head: Uint8Array, complete: boolean, basis: Dialect): Delimiter {
  let best: Delimiter = ',';
  let bestScore = 0;
  for (const delimiter of delimiters) {
    const score = regularity(read(head, complete, { ...basis, delimiter }));
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

/** From 0 (no delimiter) to 1 (many columns, all records alike, no bad quote). */
function regularity({ records, quoteIssues }: Reading): number {
  const counts = new Map<number, number>();
  for (const { length } of records) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  let best = 0;
  for (const [columns, alike] of counts) {
    const share = alike / records.length;
    best = Math.max(best, share * share * (1 - 1 / columns));
  }
  return best / (1 + quoteIssues / records.length);
}

/** Habits of single writers, taken on only where the file then reads without loss of regularity. */
function withHabits(head: Uint8Array, complete: boolean, basis: Dialect): Dialect {
  const dialect = { ...basis };
  const { records } = read(head, complete, dialect);
  let cells = 0;
  let spaced = 0;
  for (const record of records) {
    for (let index = 1; index < record.length; index += 1) {
      cells += 1;
      if (record[index]?.startsWith(' ')) spaced += 1;
    }
  }
  if (cells > 0 && cells === spaced) dialect.spaceAfterDelimiter = true;
  if (hasBackslashQuote(head)) {
    const plainly = read(head, complete, dialect);
    const escaped = read(head, complete, { ...dialect, backslashEscapes: true });
    if (
      escaped.quoteIssues < plainly.quoteIssues ||
      (escaped.quoteIssues === plainly.quoteIssues && regularity(escaped) > regularity(plainly))
    )
      dialect.backslashEscapes = true;
  }
  return dialect;
}

function hasBackslashQuote(head: Uint8Array): boolean {
  for (let at = head.indexOf(92); at >= 0; at = head.indexOf(92, at + 1))
    if (head[at + 1] === 34) return true;
  return false;
}

/**
 * The first record that is as wide as a header: titles, notes and comments above it fill few cells or begin with '#'.
 */
function headerRecordOf(records: readonly string[][], from: number): number {
  const filled = records.map((record) => record.filter((cell) => cell.trim() !== '').length);
  const typical = median(filled.slice(from));
  for (let at = from; at < Math.min(records.length, headerSearchMax); at += 1) {
    const wide = (filled[at] as number) * 2 > typical;
    if (wide && !isComment(records[at] as string[])) return at;
  }
  return Math.min(from, Math.max(records.length - 1, 0));
}

/** '#' alone is a column of numbers; a comment puts it before text, in its only cell or in several. */
function isComment(record: readonly string[]): boolean {
  const cells = record.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const marked = cells.filter((cell) => cell.length > 1 && cell.startsWith('#')).length;
  return cells[0]?.startsWith('#') === true && (marked > 1 || (marked === 1 && cells.length === 1));
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Reads the first records of a head. Its last record is left out where the file goes on behind the head. */
function read(head: Uint8Array, complete: boolean, dialect: Dialect): Reading {
  const reading: Reading = { records: [], quoteIssues: 0 };
  const scanner = scan({
    dialect,
    // Whatever is too long here is too long for every dialect; the real reading says so.
    limits: { ...readLimitsDefault, recordBytesMax: headBytesMax, columnsMax: headBytesMax },
    onRecord(record) {
      reading.records.push(record.cells());
      for (const issue of record.issues) if (issue.endsWith('quote')) reading.quoteIssues += 1;
      return reading.records.length < recordsMax ? undefined : false;
    },
  });
  scanner.push(head);
  if (complete) scanner.end();
  else if (reading.records.length < recordsWanted) {
    // A quote that never closes holds back all that follows it: read on, and leave out the broken end instead.
    scanner.end();
    if (reading.records.length > 1) reading.records.pop();
  }
  return reading;
}
