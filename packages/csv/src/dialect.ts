import type { Encoding } from './encoding/encodings.ts';
import type { ColumnProfile } from './repair/column-profile.ts';

/** How a file is written: detected by `sniff` from its head, passed to everything that reads the file. */
export type Dialect = {
  /** The table of a workbook or archive that is scanned. Absent: the file itself is the table. */
  table?: ScannedTable;
  /** The file's encoding. If it needs a transcript, the transcript is scanned and offsets are offsets in it. */
  encoding: Encoding;
  delimiter: Delimiter;
  /** '' if quotes have no meaning. */
  quote: Quote;
  /** 3 if the scanned bytes begin with a UTF-8 byte order mark, else 0. */
  bomBytes: number;
  /** 0-based ordinal of the header record, not counting blank records. -1: no header, columns have no names. */
  headerRecord: number;
  /** The rows of a sheet that its first records are. Absent: no row among them is blank. */
  sheetRows?: readonly number[];
  /** How many records with the same cells form the header. Absent: one. */
  headerRecords?: number;
  /** Index of an empty header cell that names no column: the header has an extra separator. */
  strayHeaderCell?: number;
  /** The header cell that holds two names, and where the second begins: the header misses a separator. */
  gluedHeaderCell?: { cell: number; at: number };
  /** The rows begin with a row number that has no header cell, as R writes tables. */
  unnamedFirstColumn?: boolean;
  /** The number of columns, if all rows end in separators that the header lacks. */
  columns?: number;
  /** What the cells of each column look like. Rows with an extra or missing separator are repaired by it. */
  columnProfiles?: readonly ColumnProfile[];
  /** Records above the first row of a file without a header record. Absent: none. */
  recordsAbove?: number;
  /** A CR without LF ends a line (old Mac files). Absent: such a CR is text. */
  crEndsLine?: boolean;
  /** The line break of most records in the head; a record with another one has an issue. Absent: unknown. */
  lineEnd?: LineEnd;
  /** Each delimiter is followed by one space that is not part of the cell. */
  spaceAfterDelimiter?: boolean;
  /** All or some lines are quoted as a whole, `"A-1,""Chair, oak"",10"`: a program took each for a single cell. */
  wrappedLines?: boolean;
  /** A quote inside a quoted cell may also be written `\"`, and then a backslash `\\`. */
  backslashEscapes?: boolean;
  /** The parts that the operator set (overrides); the rest was detected. Absent: none. */
  said?: readonly OverridableKey[];
};

/**
 * A table in a workbook or archive. Its text is an object of its own: of a sheet the text that version `converter`
 * wrote, of a file its bytes.
 */
export type ScannedTable = { n: number; name: string; kind: 'sheet' | 'file'; converter: number };

/**
 * Whether the text was written by us from a sheet. Then each cell is in its column, and each record is a row of the
 * sheet, blank ones too.
 */
export const isSheet = ({ table }: Pick<Dialect, 'table'>): boolean => table?.kind === 'sheet';

/** The parts of a dialect that an operator may override. */
const overridableKeys = ['encoding', 'delimiter', 'quote', 'headerRecord'] as const;
type OverridableKey = (typeof overridableKeys)[number];
export type DialectOverrides = Partial<Pick<Dialect, OverridableKey>>;

/** The overrides of a dialect. Detection with them gives the same dialect for the same file again. */
export function overridesOf(dialect: Dialect): DialectOverrides {
  return Object.fromEntries((dialect.said ?? []).map((key) => [key, dialect[key]]));
}

/**
 * A dialect with further overrides in addition to its own. Its other parts must be detected again. With another
 * `table`, the own overrides are left out: they were set for the text of the former one.
 */
export function withOverrides(
  { said, sheetRows, ...dialect }: Dialect,
  choice: DialectOverrides,
  table: ScannedTable | undefined = dialect.table,
): Dialect {
  const isSame = table?.n === dialect.table?.n;
  const own = isSame ? overridesOf({ ...dialect, said }) : {};
  const rows = isSame && sheetRows ? { sheetRows } : {};
  return { ...dialect, ...rows, ...(table ? { table } : {}), ...overrideParts({ ...own, ...choice }) };
}

/** Overrides as parts of a dialect, with the list of their keys in `said`. */
export function overrideParts(overrides: DialectOverrides): Partial<Dialect> {
  const said = overridableKeys.filter((key) => overrides[key] !== undefined);
  if (said.length === 0) return {};
  return { ...Object.fromEntries(said.map((key) => [key, overrides[key]])), said };
}

/** Delimiters, the most frequent in suppliers' files first. */
export const delimiters = [',', ';', '\t', '|', '^', '~', ':', '\u001f', '\u0001', ' '] as const;
/** The usual delimiters; the others are tried only if none of these makes a table. */
export const usualDelimiters = [
  ',',
  ';',
  '\t',
  '|',
] as const satisfies readonly (typeof delimiters)[number][];
export type Delimiter = (typeof delimiters)[number];

export const quotes = ['"', "'", '`', ''] as const;
export type Quote = (typeof quotes)[number];

export type LineEnd = 'lf' | 'crlf' | 'cr';

/** The names of delimiters on screens. */
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

/** The number of a record (from 0) as screens name it: in a sheet its row, which counts blank ones. */
export const recordNumber = (record: number, sheetRows: readonly number[] = []): number =>
  sheetRows[record] ?? record + 1;
