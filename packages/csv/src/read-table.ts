import { nameColumns } from './detect/header-columns.ts';
import { type Dialect, isSheet } from './dialect.ts';
import { ReadLimitError, type ReadLimits } from './limits.ts';
import { copyRecordProperties, isOwnDownload, unescapeFormulas, unescapeRecord } from './own-download.ts';
import { repairRecord } from './repair/ragged-record.ts';
import type { CsvRecord, RecordIssue } from './scan/record.ts';
import { type RecordScanner, type ScanDecision, scan } from './scan/scan.ts';

export type IgnoredReason = 'repeated-header' | 'totals';

export type DataRow = {
  /** 1-based ordinal. Blank records and lines above the header do not count. */
  row: number;
  /** The same object for every row, so copy the values to keep. */
  record: CsvRecord;
  cellsAsRead: null | string[];
  /** An ignored row keeps its number. */
  ignored: null | IgnoredReason;
};

export type ReadingIssue = RecordIssue | 'too-few-cells' | 'too-many-cells';

/** Returns a row's issues. Too few cells are no issue in a sheet, whose rows may end with their last filled cell. */
export function findReadingIssues(
  record: CsvRecord,
  columns: number,
  dialect: Pick<Dialect, 'table'>,
): readonly ReadingIssue[] {
  if (record.cellCount === columns || isSheet(dialect)) return record.issues;
  return [...record.issues, record.cellCount > columns ? 'too-many-cells' : 'too-few-cells'];
}

/** Calls `onHeader`, then `onRow` for each row until `onRow` returns false. Throws ReadLimitError above a limit. */
export function readTable(options: {
  dialect: Dialect;
  limits: ReadLimits;
  onHeader: (headers: string[], record: CsvRecord, titles: readonly string[]) => void;
  onRow: (row: DataRow) => ScanDecision;
}): RecordScanner {
  const { dialect, limits, onHeader, onRow } = options;
  const named = dialect.headerRecord >= 0;
  const header: string[][] = [];
  let above: string[] = [];
  const titles: string[] = [];
  let onData: ((record: CsvRecord) => ScanDecision) | null = null;
  return scan({
    dialect,
    limits,
    onRecord(record) {
      if (onData !== null) return onData(record);
      if (record.ordinal < (named ? dialect.headerRecord : (dialect.recordsAbove ?? 0))) {
        above = record.cells();
        if (titles.length < titlesMax) titles.push(above.join(' ').trim());
        return undefined;
      }
      header.push(record.cells());
      if (named && header.length < (dialect.headerRecords ?? 1)) return undefined;
      const names = nameColumns(named ? header : [record.cells().fill('')], dialect, named ? above : []);
      const headers = toUniqueHeaders(isOwnDownload(names) ? names.map(unescapeFormulas) : names);
      onData = rowReader({ dialect, headers, limits, firstRow: 1, onRow });
      onHeader(headers, record, titles);
      return named ? undefined : onData(record);
    },
  });
}

const titlesMax = 20;

/** Reads consecutive rows, such as a chunk, exactly as `readTable` does. The pushed bytes begin at `startByte`. */
export function readRows(options: RowsOptions & { startByte: number; startLine: number }): RecordScanner {
  const { dialect, limits, startByte, startLine } = options;
  return scan({ dialect, limits, startByte, startLine, onRecord: rowReader(options) });
}

type RowsOptions = {
  dialect: Dialect;
  headers: readonly string[];
  limits: ReadLimits;
  firstRow: number;
  onRow: (row: DataRow) => ScanDecision;
};

function rowReader(options: RowsOptions): (record: CsvRecord) => ScanDecision {
  const { dialect, headers, limits, onRow } = options;
  const isOwn = isOwnDownload(headers);
  const { rowsMax, packedRowsMax = rowsMax } = limits;
  let row = options.firstRow;
  return (record) => {
    if (row > rowsMax) throw new ReadLimitError('rowsMax', rowsMax, record.line);
    if (row > packedRowsMax) throw new ReadLimitError('packedRowsMax', packedRowsMax, record.line);
    return onRow(toRow(row++, isOwn ? unescapeRecord(record) : record, dialect, headers));
  };
}

/** Returns the row of a record, repaired if the column profiles show which separator is extra or missing. */
export function toRow(row: number, record: CsvRecord, dialect: Dialect, headers: readonly string[]): DataRow {
  const ignored = ignoredReason(record, headers);
  const unrepaired: DataRow = { row, record, cellsAsRead: null, ignored };
  const { columnProfiles } = dialect;
  if (ignored !== null || columnProfiles === undefined || record.cellCount === columnProfiles.length) {
    return unrepaired;
  }
  const cellsAsRead = record.cells();
  const cells = repairRecord(cellsAsRead, columnProfiles, dialect);
  return cells === null ? unrepaired : { row, record: recordOf(cells, record), cellsAsRead, ignored };
}

function recordOf(cells: readonly string[], record: CsvRecord): CsvRecord {
  const issue = record.cellCount > cells.length ? 'extra-separator' : 'missing-separator';
  return {
    ...copyRecordProperties(record),
    cellCount: cells.length,
    cell: (index) => cells[index] ?? '',
    cells: () => [...cells],
    cellCharsMax: (index) => cells[index]?.length ?? 0,
    isQuoted: () => false,
    issues: [...record.issues, issue],
  };
}

/** Returns why a row is ignored, or null. Needs no other rows, so readers agree wherever they begin to read. */
function ignoredReason(record: CsvRecord, headers: readonly string[]): null | IgnoredReason {
  const first = record.cell(0).trim();
  if (repeatsHeaders(record, first, headers)) return 'repeated-header';
  return isTotals(record, first, headers) ? 'totals' : null;
}

// Whether a record repeats the header, with two equal cells. 'Column 3' matches an empty cell, 'Price (2)' a 'Price'.
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
  /^(?:(?:grand|sub|report|order|overall)[ -]?)?totals?\b[^a-z]*$|^(?:sum|summe|gesamt|gesamtsumme|zwischensumme|endsumme|totale|totaal|tota(?:l|ux) g[ée]n[ée]ra(?:l|ux)|total general|suma|razem|celkem|spolu|összesen|yhteensä|summa|i alt|ukupno|skupaj|toplam|genel toplam|итого|всего|разом|всього|σύνολο|合计|合計|总计|總計|小计|小計|합계|총계|المجموع|الإجمالي|סה["״]כ|tổng cộng|jumlah|รวม)(?![\p{L}\p{N}])[^a-z]*$/iu;
/** Totals labels that include the name of a group: 'Subtotal wines'. */
const totalOf =
  /^(?:(?:grand|sub|report|order|overall)[ -]?totals?|totals?|sous[- ]total|total g[ée]n[ée]ral|subtotale|subtotaal|zwischensumme|summe|gesamt|gesamtsumme|totale|totaal|suma|razem|celkem|spolu|mezisoučet|medzisúčet|összesen|részösszeg|yhteensä|välisumma|delsumma|summa|i alt|ukupno|skupaj|ara toplam|toplam|итого|всего|подытог|промежуточный итог|разом|всього|σύνολο|合计|合計|总计|小计|小計|합계|소계|المجموع|סה["״]כ)[\s:]+\S/iu;
/** Words for totals that are neither a brand nor a name of a product. */
const surelyTotals =
  /^(?:(?:grand|sub|overall|report|order)[ -]?totals?|sous[- ]total|total g[ée]n[ée]ral|total geral|totale generale|subtotale|subtotaal|eindtotaal|zwischensumme|gesamtsumme|endsumme|mezisoučet|medzisúčet|részösszeg|välisumma|delsumma|ara toplam|genel toplam|подытог|промежуточный итог|小计|小計|总计|總計|소계|총계)[:.]?$/iu;
/** Whether a cell is an amount or a number of pieces, with or without a currency. */
const isNumber = (cell: string) => cell.length <= 24 && /^\P{L}*\d\P{L}*(?:\p{L}{1,3}\.?)?$/u.test(cell);

// Whether a record is a totals line: 'Total' in a half-empty record, or 'Total' or 'Subtotal wines' before numbers.
function isTotals(record: CsvRecord, first: string, headers: readonly string[]): boolean {
  if (headers.length < 3) return false;
  let label = first;
  let labelAt = 0;
  while (label === '' && labelAt + 1 < record.cellCount) label = record.cell(++labelAt).trim();
  if (label.length < 2 || label.length > 60) return false;
  const isSure = surelyTotals.test(label);
  const isOfGroup = totalOf.test(label);
  if (!isSure && !isOfGroup && (label.length > 24 || !totalsLabel.test(label))) return false;
  const others: string[] = [];
  for (let index = labelAt + 1; index < record.cellCount; index += 1) {
    const cell = record.cell(index).trim();
    if (cell !== '') others.push(cell);
  }
  const isHalfEmpty = (others.length + 1) * 2 <= headers.length + 1;
  if (isSure && others.filter((cell) => !isNumber(cell)).length < 2 && others.filter(isNumber).length > 1) {
    return true;
  }
  if (isOfGroup) return others.length > 1 && others.every(isNumber);
  if (isHalfEmpty) return true;
  return labelAt > 0 && others.length > 0 && others.every(isNumber);
}

/** Returns unique names, used as keys of row objects: '' becomes 'Column 3', a repeated name 'Price (2)'. */
export function toUniqueHeaders(cells: readonly string[]): string[] {
  const given = new Set(cells.map((cell) => cell.trim()));
  const taken = new Set<string>();
  /** The next number to try, by name. Without this map, thousands of equal names would take quadratic time. */
  const counts = new Map<string, number>();
  return cells.map((cell, index) => {
    const wanted = cell.trim() || `Column ${index + 1}`;
    let name = wanted;
    let count = counts.get(wanted) ?? 2;
    for (; taken.has(name) || (name !== wanted && given.has(name)); count += 1) {
      name = `${wanted} (${count})`;
    }
    counts.set(wanted, count);
    taken.add(name);
    return name;
  });
}
