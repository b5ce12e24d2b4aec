import type { Encoding } from './encoding/encodings.ts';
import type { ColumnHabit } from './repair/column-profile.ts';

/** How a file is written: what `sniff` judges from its head and everything that reads the file is given. */
export type Dialect = {
  /** Of the file. Where it needs a transcript, that is what is scanned, and offsets are offsets in it. */
  encoding: Encoding;
  delimiter: Delimiter;
  /** '' where quotes have no meaning. */
  quote: Quote;
  /** 3 if the scanned bytes begin with a UTF-8 mark, else 0. */
  bomBytes: number;
  /** Ordinal of the header record: 0-based, blank records not counted. -1: the file has none, columns have no names. */
  headerRecord: number;
  /** So many records, with the same cells, are the header. Absent: one. */
  headerRecords?: number;
  /** Index of an empty cell in the header record that stands above no column: one separator too many. */
  strayHeaderCell?: number;
  /** A cell of the header record that holds two names, and where the second begins: one separator too few. */
  gluedHeaderCell?: { cell: number; at: number };
  /** The rows begin with their numbers, for which the header record has no cell, as R writes tables. */
  unnamedFirstColumn?: boolean;
  /** How many columns there are, where all rows end in separators that the header record has not. */
  columns?: number;
  /** By column: what its cells are like, by which a row with a separator too many or too few is set right. */
  columnHabits?: readonly ColumnHabit[];
  /** Records above the first row of a file without a header record. Absent: none. */
  recordsAbove?: number;
  /** A CR without LF ends a line (old Mac files). Absent: it is text. */
  crEndsLine?: boolean;
  /** What most records of the head end with; a record that ends otherwise has an issue. Absent: nobody knows. */
  lineEnd?: LineEnd;
  /** Every delimiter is written with one space behind it, which is not part of the cell. */
  spaceAfterDelimiter?: boolean;
  /** Lines stand in quotes once more, `"A-1,""Chair, oak"",10"`, all or some: a program took each for a single cell. */
  wrappedLines?: boolean;
  /** A quote inside a quoted cell may also be written `\"`, and then a backslash `\\`. */
  backslashEscapes?: boolean;
  /** What of it somebody has said; the rest was judged by that. Absent: nothing. */
  said?: readonly SayableKey[];
};

/** What an operator is shown of a dialect, and may say. */
export const overridableKeys = ['encoding', 'delimiter', 'quote', 'headerRecord'] as const;
type SayableKey = (typeof overridableKeys)[number];
export type ShownDialect = Pick<Dialect, SayableKey>;
export type DialectOverrides = Partial<ShownDialect>;

/** What has been said of a file: by it alone the file is read in this dialect again. */
export function overridesOf(dialect: Dialect): DialectOverrides {
  return Object.fromEntries((dialect.said ?? []).map((key) => [key, dialect[key]]));
}

/** A dialect with what is said beside what has been said; the rest is to be judged anew. */
export function withOverrides(dialect: Dialect, choice: DialectOverrides): Dialect {
  const said = { ...overridesOf(dialect), ...choice };
  return { ...dialect, ...saidParts(said) };
}

/** The parts of a dialect that are said, and which they are. */
export function saidParts(choice: DialectOverrides): Partial<Dialect> {
  const said = overridableKeys.filter((key) => choice[key] !== undefined);
  if (said.length === 0) return {};
  return { ...Object.fromEntries(said.map((key) => [key, choice[key]])), said };
}

/** Delimiters by how often suppliers use them. */
export const delimiters = [',', ';', '\t', '|', '^', '~', ':', '\u001f', '\u0001', ' '] as const;
/** Those that most suppliers use; the others are asked only where none of these makes a table. */
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

/** What a delimiter is called on a screen. */
export const delimiterNames: Record<Delimiter, string> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'bar',
  '^': 'caret',
  '~': 'tilde',
  ':': 'colon',
  '\u001f': 'unit separator',
  '\u0001': 'control character 1',
  ' ': 'space',
};
