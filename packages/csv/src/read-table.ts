import { namesByColumn } from './detect/header-columns.ts';
import type { Dialect } from './dialect.ts';
import { uniqueHeaders } from './headers.ts';
import { ReadLimitError, type ReadLimits } from './limits.ts';
import { meantCells } from './repair/ragged-record.ts';
import type { CsvRecord, RecordIssue } from './scan/record.ts';
import { type GoOn, type RecordScanner, scan } from './scan/scan.ts';

export type IgnoredReason = 'repeated-header' | 'totals';

export type DataRow = {
  /** 1-based ordinal of the data record: dense, blank records and lines above the header are no rows. */
  row: number;
  /** Used again for the next row: copy what you keep. */
  record: CsvRecord;
  /** The cells as the bytes have them, where those of `record` were set right; else null. */
  cellsAsRead: null | string[];
  /** Why the row is no product; it keeps its number. */
  ignored: null | IgnoredReason;
};

/** What is odd about a row as it was read. The last two: it is ragged, its cells do not reach or pass the columns. */
export type ReadingIssue = RecordIssue | 'too-few-cells' | 'too-many-cells';

/** The issues of a row of a table with so many columns. */
export function readingIssues(record: CsvRecord, columns: number): readonly ReadingIssue[] {
  if (record.cellCount === columns) return record.issues;
  return [...record.issues, record.cellCount > columns ? 'too-many-cells' : 'too-few-cells'];
}

/**
 * Reads a whole file: the header record once, then every data row. Return false from onRow to stop. Throws what `scan`
 * throws, and ReadLimitError for too many rows. Where the dialect says that the file has no header
 * record, the headers are 'Column 1' and so on, as many as the first row has cells. A file of nothing calls neither.
 */
export function readTable(options: {
  dialect: Dialect;
  limits: ReadLimits;
  onHeader: (headers: string[], record: CsvRecord) => void;
  onRow: (row: DataRow) => GoOn;
}): RecordScanner {
  const { dialect, limits, onHeader, onRow } = options;
  const named = dialect.headerRecord >= 0;
  const header: string[][] = [];
  let onData: ((record: CsvRecord) => GoOn) | null = null;
  return scan({
    dialect,
    limits,
    onRecord(record) {
      if (onData !== null) return onData(record);
      if (record.ordinal < (named ? dialect.headerRecord : (dialect.recordsAbove ?? 0))) return undefined;
      header.push(record.cells());
      if (named && header.length < (dialect.headerRecords ?? 1)) return undefined;
      const names = named ? namesByColumn(header, dialect) : record.cells().fill('');
      const headers = uniqueHeaders(names);
      onData = rowReader({ dialect, headers, limits, firstRow: 1, onRow });
      onHeader(headers, record);
      return named ? undefined : onData(record);
    },
  });
}

/**
 * Reads a run of data rows, such as one cut: the bytes pushed begin at `startByte`, on line `startStack`, with row
 * `firstRow`. `headers` are those that readTable gave for the file. The rows are those that readTable gives there.
 */
export function readRows(options: {
  dialect: Dialect;
  limits: ReadLimits;
  headers: readonly string[];
  startByte: number;
  startStack: number;
  firstRow: number;
  onRow: (row: DataRow) => GoOn;
}): RecordScanner {
  const { dialect, limits, startByte, startStack } = options;
  return scan({ dialect, limits, startByte, startStack, onRecord: rowReader(options) });
}

function rowReader(options: {
  dialect: Dialect;
  headers: readonly string[];
  limits: ReadLimits;
  firstRow: number;
  onRow: (row: DataRow) => GoOn;
}): (record: CsvRecord) => GoOn {
  const { dialect, headers, limits, onRow } = options;
  let row = options.firstRow;
  return (record) => {
    if (row > limits.rowsMax) throw new ReadLimitError('rowsMax', limits.rowsMax, record.line);
    return onRow(rowOf(row++, record, dialect, headers));
  };
}

/**
 * The row that a record below the header is: where it has a separator too many or too few and the habits of the file's
 * columns tell which, with its cells as they are meant.
 */
export function rowOf(row: number, record: CsvRecord, dialect: Dialect, headers: readonly string[]): DataRow {
  const ignored = ignoredReason(record, headers);
  const asItIs: DataRow = { row, record, cellsAsRead: null, ignored };
  const { columnHabits } = dialect;
  if (ignored !== null || columnHabits === undefined || record.cellCount === columnHabits.length) {
    return asItIs;
  }
  const cellsAsRead = record.cells();
  const cells = meantCells(cellsAsRead, columnHabits, dialect);
  return cells === null ? asItIs : { row, record: recordOf(cells, record), cellsAsRead, ignored };
}

/** A record with other cells than its bytes have. */
function recordOf(cells: readonly string[], record: CsvRecord): CsvRecord {
  const { byteFrom, byteTo, line, ordinal, cellCount, lineEnd, issues } = record;
  const issue = cellCount > cells.length ? 'extra-separator' : 'missing-separator';
  return {
    byteFrom,
    byteTo,
    line,
    ordinal,
    cellCount: cells.length,
    cell: (index) => cells[index] ?? '',
    cells: () => [...cells],
    lineEnd,
    issues: [...issues, issue],
  };
}

/**
 * Why a record below the header is no product; null for most. Judged by the record and the headers alone, so that
 * upload, worker and preview agree whatever they have read before.
 */
function ignoredReason(record: CsvRecord, headers: readonly string[]): null | IgnoredReason {
  const first = record.cell(0).trim();
  if (repeatsHeaders(record, first, headers)) return 'repeated-header';
  return isTotals(record, first, headers) ? 'totals' : null;
}

/** The headers were made unique: only names that were not changed can be compared, and most must be there. */
function repeatsHeaders(record: CsvRecord, first: string, headers: readonly string[]): boolean {
  if (headers.length < 2) return false;
  let equal = 0;
  for (let index = 0; index < headers.length; index += 1) {
    const cell = index === 0 ? first : record.cell(index).trim();
    const header = headers[index] as string;
    if (cell === header) equal += 1;
    else if (cell === '' ? header !== `Column ${index + 1}` : !isNumberedName(header, cell)) return false;
  }
  return equal >= 2;
}

const isNumberedName = (header: string, name: string) =>
  header.startsWith(name) && header.startsWith(' (', name.length);

const totalsLabel =
  /^(?:(?:grand|sub|report|order|overall)[ -]?)?totals?\b[^a-z]*$|^(?:sum|summe|gesamt|gesamtsumme|totale|totaal)[^a-z]*$/i;

/** 'Total' or the like as the first thing in a record that is at least half empty; a product has more to say. */
function isTotals(record: CsvRecord, first: string, headers: readonly string[]): boolean {
  if (headers.length < 3) return false;
  let label = first;
  for (let at = 1; at < record.cellCount && label === ''; at += 1) label = record.cell(at).trim();
  if (label.length < 3 || label.length > 24 || !totalsLabel.test(label)) return false;
  let filled = 0;
  for (let index = 0; index < record.cellCount; index += 1) if (record.cell(index).trim() !== '') filled += 1;
  return filled * 2 <= headers.length + 1;
}
