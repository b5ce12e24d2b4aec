/** How a file is written: what `sniff` judges from its head and everything that reads the file is given. */
export type Dialect = {
  encoding: 'utf-8';
  delimiter: Delimiter;
  quote: '"';
  /** 3 if the file begins with a UTF-8 mark, else 0. */
  bomBytes: number;
  /** Ordinal of the header record: 0-based, blank records not counted. */
  headerRecord: number;
  /** A CR without LF ends a line (old Mac files). Absent: it is text. */
  crEndsLine?: boolean;
  /** Every delimiter is written with one space behind it, which is not part of the cell. */
  spaceAfterDelimiter?: boolean;
  /** A quote inside a quoted cell may also be written `\"`. */
  backslashEscapes?: boolean;
};

export type Delimiter = (typeof delimiters)[number];

export const delimiters = [',', ';', '\t', '|'] as const;
