import {
  type Delimiter,
  type Dialect,
  type DialectOverrides,
  delimiters,
  type LineEnd,
  saidParts,
} from '../dialect.ts';
import { detectEncoding } from '../encoding/detect-encoding.ts';
import { isTranscribed, type TranscribedEncoding } from '../encoding/encodings.ts';
import { transcriptDecoder } from '../encoding/transcript-decoder.ts';
import { columnHabits } from '../repair/column-profile.ts';
import { commonWidth } from './common-width.ts';
import { headerColumns, namesByColumn } from './header-columns.ts';
import { tableStart } from './header-record.ts';
import { readHead } from './read-head.ts';
import { likeliestSeparators } from './sniff-delimiter.ts';
import { wrappedDelimiter } from './sniff-wrapped.ts';

/** So large a share of the delimiters has a space behind it where that is the writer's habit; others are slips. */
const spacedMin = 0.95;

/** So much of a file's beginning is worth giving to `sniff`. */
export const headBytesMax = 256 * 1024;

/**
 * Judges the dialect from the head of a file, by reading it in every way that is likely and taking the one with the
 * most regular records. `head` holds the file's own bytes, also where it needs a transcript; `complete`: it is the
 * whole file. `said`: what somebody knows of it; the rest is judged by that. Never throws; a file with a single column
 * is a comma's.
 */
export function sniff(head: Uint8Array, complete: boolean, said: DialectOverrides = {}): Dialect {
  const judged = detectEncoding(head, complete);
  const { encoding, markBytes } = { ...judged, ...(said.encoding ? { encoding: said.encoding } : {}) };
  const transcribed = isTranscribed(encoding);
  const bytes = transcribed ? transcriptOf(head, encoding) : head;
  const bomBytes = transcribed || encoding !== 'utf-8' ? 0 : markBytes;
  const basis: Dialect = { encoding, delimiter: ',', quote: '"', bomBytes, headerRecord: 0 };
  if (endsLinesByCr(bytes)) basis.crEndsLine = true;
  const named = namedDelimiter(bytes.subarray(bomBytes));
  basis.delimiter = said.delimiter ?? named ?? ',';
  const wrapped =
    (said.quote ?? '"') === '"' ? wrappedDelimiter(bytes, complete, basis, said.delimiter ?? named) : null;
  if (wrapped !== null) Object.assign(basis, { delimiter: wrapped, wrappedLines: true });
  else if (said.delimiter === undefined && named === null) {
    const { delimiter, quote } = likeliestSeparators(bytes, complete, basis);
    Object.assign(basis, { delimiter, quote });
  }
  const dialect = { ...withHabits(bytes, complete, { ...basis, ...said }), ...said };
  const { records, lineEnds } = readHead(bytes, complete, dialect);
  const header = headerOf(records, named === null ? 0 : 1, said);
  return { ...dialect, ...usualLineEnd(lineEnds), ...header, ...saidParts(said) };
}

/** Where the header is, if it was not said, and what stands in it. `from`: the first record that may be it. */
function headerOf(records: readonly string[][], from: number, said: DialectOverrides): Partial<Dialect> {
  const found = tableStart(records, from);
  const headerRecord = said.headerRecord ?? (found.named ? found.record : -1);
  if (headerRecord < 0) {
    const recordsAbove = said.headerRecord === undefined ? found.record : 0;
    const rows = records.slice(recordsAbove);
    return {
      headerRecord,
      ...(recordsAbove > 0 ? { recordsAbove } : {}),
      ...habitsOf(rows, rows[0]?.length ?? 0),
    };
  }
  const header = headerColumns(records, headerRecord);
  const firstRow = headerRecord + (header.headerRecords ?? 1);
  const names = namesByColumn(records.slice(headerRecord, firstRow), header);
  return { headerRecord, ...header, ...habitsOf(records.slice(firstRow), names.length) };
}

function habitsOf(rows: readonly string[][], columns: number): Pick<Dialect, 'columnHabits'> {
  const habits = columnHabits(rows, columns);
  return habits ? { columnHabits: habits } : {};
}

/** Of two that are as frequent CRLF is the usual one: an LF alone is sooner a slip. */
function usualLineEnd({ lf, crlf, cr }: Record<LineEnd, number>): { lineEnd?: LineEnd } {
  if (lf + crlf + cr === 0) return {};
  if (cr > lf && cr > crlf) return { lineEnd: 'cr' };
  return { lineEnd: lf > crlf ? 'lf' : 'crlf' };
}

/** A character that is cut at the end of the head is left out. */
function transcriptOf(head: Uint8Array, encoding: TranscribedEncoding): Uint8Array {
  return new TextEncoder().encode(transcriptDecoder(encoding).decode(head, { stream: true }));
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

/** Habits of single writers, taken on only where the file then reads without loss of regularity. */
function withHabits(head: Uint8Array, complete: boolean, basis: Dialect): Dialect {
  const dialect = { ...basis };
  const { records } = readHead(head, complete, dialect);
  let cells = 0;
  let spaced = 0;
  for (const record of records) {
    for (let index = 1; index < record.length; index += 1) {
      cells += 1;
      if (record[index]?.startsWith(' ')) spaced += 1;
    }
  }
  if (cells > 0 && spaced >= cells * spacedMin && dialect.delimiter !== ' ')
    dialect.spaceAfterDelimiter = true;
  if (hasBackslashQuote(head, dialect.quote) && escapesReadBetter(head, complete, dialect)) {
    dialect.backslashEscapes = true;
  }
  return dialect;
}

function escapesReadBetter(head: Uint8Array, complete: boolean, dialect: Dialect): boolean {
  const plainly = readHead(head, complete, dialect);
  const escaped = readHead(head, complete, { ...dialect, backslashEscapes: true });
  if (escaped.quoteIssues !== plainly.quoteIssues) return escaped.quoteIssues < plainly.quoteIssues;
  return shareAlike(escaped.records) > shareAlike(plainly.records);
}

/** The share of records that are as wide as most. */
const shareAlike = (records: readonly string[][]) => commonWidth(records).count / Math.max(1, records.length);

function hasBackslashQuote(head: Uint8Array, quote: string): boolean {
  for (let at = head.indexOf(92); at >= 0; at = head.indexOf(92, at + 1)) {
    if (quote !== '' && head[at + 1] === quote.charCodeAt(0)) return true;
  }
  return false;
}
