import type { Encoding } from './encoding/encodings.ts';
import type { ColumnProfile } from './repair/column-profile.ts';

/** The dialect of a file, as `sniff` detects it. */
export type Dialect = {
  table?: ScannedTable;
  /** In some encodings a UTF-8 transcript is scanned in place of the file. All offsets then refer to the transcript. */
  encoding: Encoding;
  delimiter: Delimiter;
  /** '' if quotes have no meaning. */
  quote: Quote;
  /** 3 if the scanned bytes begin with a UTF-8 byte order mark, else 0. */
  bomBytes: number;
  /** 0-based ordinal of the header record, not counting blank records. -1: no header, columns have no names. */
  headerRecord: number;
  /** Row numbers of a sheet's first records. Absent if no row among them is blank. */
  sheetRows?: readonly number[];
  /** Number of header records: repeats of the header, or a row of sub-headers below it. Absent: one. */
  headerRecords?: number;
  /** Index of an empty header cell that names no column, because the header has an extra separator. */
  strayHeaderCell?: number;
  /** Index of a header cell with two names that lack a separator, and the offset of the second name in the cell. */
  gluedHeaderCell?: { cell: number; at: number };
  /** The rows begin with a row number that has no header cell, as R writes tables. */
  unnamedFirstColumn?: boolean;
  /** Number of columns. Set for a sheet, or if all rows end in separators that the header lacks. */
  columns?: number;
  columnProfiles?: readonly ColumnProfile[];
  /** Number of records above the first row, if no record is the header. Absent: none. */
  recordsAbove?: number;
  /** A CR without LF ends a line (old Mac files). Otherwise it is text. */
  crEndsLine?: boolean;
  /** The line break of most records in the head. A record with another line break has an issue. */
  lineEnd?: LineEnd;
  /** Each delimiter is followed by one space that is not part of the cell. */
  spaceAfterDelimiter?: boolean;
  /** Lines are quoted as a whole (`"A-1,""Chair, oak"",10"`), because a program took each line for a single cell. */
  wrappedLines?: boolean;
  /** A quote inside a quoted cell may also be written as `\"`. A backslash is then written as `\\`. */
  backslashEscapes?: boolean;
  said?: readonly OverridableKey[];
};

/** A sheet of a workbook, as text that version `converter` of our converter wrote, or a file of an archive. */
export type ScannedTable = { n: number; name: string; kind: 'sheet' | 'file'; converter: number };

/** Whether we wrote the text from a sheet. Then each cell is in its column, and each record, even blank, is a row. */
export const isSheet = ({ table }: Pick<Dialect, 'table'>): boolean => table?.kind === 'sheet';

const overridableKeys = ['encoding', 'delimiter', 'quote', 'headerRecord'] as const;
type OverridableKey = (typeof overridableKeys)[number];
export type DialectOverrides = Partial<Pick<Dialect, OverridableKey>>;

/** Returns the overrides that make detection return the same dialect again. */
export function overridesOf(dialect: Dialect): DialectOverrides {
  return Object.fromEntries((dialect.said ?? []).map((key) => [key, dialect[key]]));
}

/** Adds overrides to a dialect, whose other keys must then be detected again. A new `table` drops older overrides. */
export function withOverrides(
  { said, sheetRows, ...dialect }: Dialect,
  choice: DialectOverrides,
  table: ScannedTable | undefined = dialect.table,
): Dialect {
  const isSame = table?.n === dialect.table?.n;
  const own = isSame ? overridesOf({ ...dialect, said }) : {};
  const rows = isSame && sheetRows ? { sheetRows } : {};
  return { ...dialect, ...rows, ...(table ? { table } : {}), ...toDialectProperties({ ...own, ...choice }) };
}

/** Returns the properties that the overrides set in a dialect. `said` lists the keys of these properties. */
export function toDialectProperties(overrides: DialectOverrides): Partial<Dialect> {
  const said = overridableKeys.filter((key) => overrides[key] !== undefined);
  if (said.length === 0) return {};
  return { ...Object.fromEntries(said.map((key) => [key, overrides[key]])), said };
}

/** Delimiters, the most frequent in suppliers' files first. */
export const delimiters = [',', ';', '\t', '|', '^', '~', ':', '\u001f', '\u0001', ' '] as const;
/** Delimiters that are tried first. The others are tried only if none of these makes a table. */
export const usualDelimiters = [',', ';', '\t', '|'] as const satisfies readonly Delimiter[];
export type Delimiter = (typeof delimiters)[number];

export const quotes = ['"', "'", '`', ''] as const;
export type Quote = (typeof quotes)[number];

export type LineEnd = 'lf' | 'crlf' | 'cr';

export const delimiterNames: Record<Delimiter, string> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
  '^': 'caret',
  '~': 'tilde',
  ':': 'colon',
  '\u001f': 'unit separator (0x1F)',
  '\u0001': 'Ctrl-A (0x01)',
  ' ': 'space',
};

/** Returns a 0-based record's number on screens. In a sheet it is the row number, which counts blank rows. */
export const shownRecordNumber = (record: number, sheetRows: readonly number[] = []): number =>
  sheetRows[record] ?? record + 1;
