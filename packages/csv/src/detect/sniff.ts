import {
  type Delimiter,
  type Dialect,
  type DialectOverrides,
  delimiters,
  type LineEnd,
  type ScannedTable,
  toDialectProperties,
} from '../dialect.ts';
import { detectEncoding } from '../encoding/detect-encoding.ts';
import { isTranscribed } from '../encoding/encodings.ts';
import { createTranscriptDecoder } from '../encoding/transcript-decoder.ts';
import { columnProfiles } from '../repair/column-profile.ts';
import { commonWidth } from './common-width.ts';
import { headerColumns, nameColumns, sheetColumns } from './header-columns.ts';
import { findTableStart } from './header-record.ts';
import { readHead } from './read-head.ts';
import { sniffSeparators } from './sniff-delimiter.ts';
import { sniffInnerDelimiter } from './sniff-wrapped.ts';

/** If this share of cells begins with a space, the space belongs to the delimiter, and a missing space is a typo. */
const spacedMin = 0.95;

export const headBytesMax = 256 * 1024;

/** Detects a file's dialect from its head; a single column gets commas. `complete`: the head is the whole file. */
export function sniff(head: Uint8Array, complete: boolean, overrides: DialectOverrides = {}): Dialect {
  const detected = detectEncoding(head, complete);
  const encoding = overrides.encoding ?? detected.encoding;
  const { markBytes } = detected;
  const transcribed = isTranscribed(encoding);
  // An incomplete character at the end of the head is left out.
  const bytes = transcribed
    ? new TextEncoder().encode(createTranscriptDecoder(encoding).decode(head, { stream: true }))
    : head;
  const bomBytes = transcribed || encoding !== 'utf-8' ? 0 : markBytes;
  const basis: Dialect = { encoding, delimiter: ',', quote: '"', bomBytes, headerRecord: 0 };
  const { lone, lf } = countLineEnds(bytes);
  // If there are more lone CRs than LFs, lone CRs are line breaks.
  if (lone > lf) basis.crEndsLine = true;
  const named = namedDelimiter(bytes.subarray(bomBytes));
  basis.delimiter = overrides.delimiter ?? named ?? ',';
  const wrapped =
    (overrides.quote ?? '"') === '"'
      ? sniffInnerDelimiter(bytes, complete, basis, overrides.delimiter ?? named)
      : null;
  if (wrapped !== null) Object.assign(basis, { delimiter: wrapped, wrappedLines: true });
  else if (overrides.delimiter === undefined && named === null) {
    const { delimiter, quote } = sniffSeparators(bytes, complete, basis);
    Object.assign(basis, { delimiter, quote });
  }
  const spaced = { ...withSpacingAndEscapes(bytes, complete, { ...basis, ...overrides }), ...overrides };
  const dialect = lone > 0 ? withFittingCr(bytes, complete, spaced) : spaced;
  const { records, lineEnds } = readHead(bytes, complete, dialect);
  const start = startOf(records, named === null ? 0 : 1, overrides);
  const header = headerOf(records, start);
  return { ...dialect, ...usualLineEnd(lineEnds), ...start, ...header, ...toDialectProperties(overrides) };
}

const numberedMax = 20;

/** Detects the header of a text that we wrote from a sheet, with known delimiter and quote. */
export function sniffSheet(
  head: Uint8Array,
  complete: boolean,
  table: ScannedTable,
  { headerRecord }: DialectOverrides = {},
): Dialect {
  const written = { encoding: 'utf-8', delimiter: ',', quote: '"', bomBytes: 0 } as const;
  const basis: Dialect = { table, ...written, headerRecord: 0 };
  const overrides = headerRecord === undefined ? {} : { headerRecord };
  const { records, lines } = readHead(head, complete, basis);
  const start = startOf(records, 0, overrides);
  const shown = lines.slice(0, Math.max(numberedMax, start.headerRecord + 1));
  const rows = shown.some((line, at) => line !== at + 1) ? { sheetRows: shown } : {};
  const header = sheetColumns(records, start.headerRecord);
  return { ...basis, ...rows, ...start, ...header, ...toDialectProperties(overrides) };
}

type TableStart = Pick<Dialect, 'headerRecord' | 'recordsAbove'>;

function startOf(records: readonly string[][], from: number, overrides: DialectOverrides): TableStart {
  const found = findTableStart(records, from);
  const headerRecord = overrides.headerRecord ?? (found.named ? found.record : -1);
  const recordsAbove = headerRecord < 0 && overrides.headerRecord === undefined ? found.record : 0;
  return { headerRecord, ...(recordsAbove > 0 ? { recordsAbove } : {}) };
}

function headerOf(
  records: readonly string[][],
  { headerRecord, recordsAbove = 0 }: TableStart,
): Partial<Dialect> {
  if (headerRecord < 0) {
    const rows = records.slice(recordsAbove);
    return profilesOf(rows, rows[0]?.length ?? 0);
  }
  const header = headerColumns(records, headerRecord);
  const firstRow = headerRecord + (header.headerRecords ?? 1);
  const names = nameColumns(records.slice(headerRecord, firstRow), header);
  return { ...header, ...profilesOf(records.slice(firstRow), names.length) };
}

function profilesOf(rows: readonly string[][], columns: number): Pick<Dialect, 'columnProfiles'> {
  const profiles = columnProfiles(rows, columns);
  return profiles ? { columnProfiles: profiles } : {};
}

/** Returns the most frequent line break. A tie goes to CRLF, because a lone LF is more likely a mistake. */
function usualLineEnd({ lf, crlf, cr }: Record<LineEnd, number>): { lineEnd?: LineEnd } {
  if (lf + crlf + cr === 0) return {};
  if (cr > lf && cr > crlf) return { lineEnd: 'cr' };
  return { lineEnd: lf > crlf ? 'lf' : 'crlf' };
}

/** Counts lone CRs, which precede neither a CR nor an LF, and all LFs. */
function countLineEnds(head: Uint8Array): { lone: number; lf: number } {
  let lone = 0;
  let lf = 0;
  for (let at = 0; at < head.length; at += 1) {
    if (head[at] === 10) lf += 1;
    else if (head[at] === 13 && at + 1 < head.length && head[at + 1] !== 10 && head[at + 1] !== 13) lone += 1;
  }
  return { lone, lf };
}

const alikeMin = 0.9;
/** Fewer records prove nothing: if line breaks are misread as text, a file is one record of whatever width. */
const alikeRecordsMin = 3;

/** Reads lone CRs the other way (text or line break) if more records, and nearly all, then have the same width. */
function withFittingCr(head: Uint8Array, complete: boolean, { crEndsLine, ...dialect }: Dialect): Dialect {
  const asText: Dialect = dialect;
  const asBreaks: Dialect = { ...dialect, crEndsLine: true };
  const [likely, other] = crEndsLine ? [asBreaks, asText] : [asText, asBreaks];
  const [of, found] = [likely, other].map((one) => readHead(head, complete, one).records);
  if (!of || !found || found.length < alikeRecordsMin || commonWidth(found).width > commonWidth(of).width)
    return likely;
  const share = shareAlike(found);
  return share >= alikeMin && share > shareAlike(of) ? other : likely;
}

function namedDelimiter(head: Uint8Array): Delimiter | null {
  const line = /^"?sep=(.)"?[\r\n]/i.exec(new TextDecoder('latin1').decode(head.subarray(0, 16)));
  return delimiters.find((delimiter) => delimiter === line?.[1]) ?? null;
}

function withSpacingAndEscapes(head: Uint8Array, complete: boolean, basis: Dialect): Dialect {
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
  const plain = readHead(head, complete, dialect);
  const escaped = readHead(head, complete, { ...dialect, backslashEscapes: true });
  if (escaped.quoteIssues !== plain.quoteIssues) return escaped.quoteIssues < plain.quoteIssues;
  return shareAlike(escaped.records) > shareAlike(plain.records);
}

const shareAlike = (records: readonly string[][]) => commonWidth(records).count / Math.max(1, records.length);

function hasBackslashQuote(head: Uint8Array, quote: string): boolean {
  for (let at = head.indexOf(92); at >= 0; at = head.indexOf(92, at + 1)) {
    if (quote !== '' && head[at + 1] === quote.charCodeAt(0)) return true;
  }
  return false;
}
