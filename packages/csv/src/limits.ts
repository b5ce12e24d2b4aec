/** What one file may hold; the product's defaults are those of RECORD_BYTES_MAX, COLUMNS_MAX, ROWS_MAX and so on. */
export type ReadLimits = {
  recordBytesMax: number;
  columnsMax: number;
  rowsMax: number;
  /** Absent: a cell may be as long as its record. */
  cellBytesMax?: number;
  /** Of the whole file; absent: whoever hands over its bytes limits them. */
  fileBytesMax?: number;
};

export const readLimitsDefault = {
  recordBytesMax: 1024 * 1024,
  columnsMax: 2000,
  rowsMax: 10_000_000,
  cellBytesMax: 1024 * 1024,
} satisfies ReadLimits;

/** The most bytes of one file (product-spec, 'Maximum CSV size'). */
export const fileBytesMaxDefault = 50 * 1024 * 1024;

const sentences: Record<keyof ReadLimits, (max: string, line: string) => string> = {
  recordBytesMax: (max, line) =>
    `The record at line ${line} is longer than ${max} bytes. Look there for a missing line end or closing quote, or raise RECORD_BYTES_MAX.`,
  columnsMax: (max, line) =>
    `The record at line ${line} has more than ${max} columns. Check the delimiter of the file, or raise COLUMNS_MAX.`,
  rowsMax: (max, line) =>
    `The file has more than ${max} rows (reached at line ${line}). Split it into several files, or raise ROWS_MAX.`,
  cellBytesMax: (max, line) =>
    `The record at line ${line} has a cell of more than ${max} bytes. Look there for a missing closing quote, or raise CELL_BYTES_MAX.`,
  fileBytesMax: (max) =>
    `The file is larger than ${max} bytes. Split it into several files, or raise CSV_BYTES_MAX.`,
};

/** Thrown by `push` and `end` of a scanner: the file is over a limit and cannot be read on. */
export class ReadLimitError extends Error {
  readonly limit: keyof ReadLimits;
  readonly max: number;
  /** 1-based physical line on which the record begins that is over the limit; 1 for the file itself. */
  readonly line: number;

  constructor(limit: keyof ReadLimits, max: number, line: number) {
    super(sentences[limit](max.toLocaleString('en-US'), line.toLocaleString('en-US')));
    this.name = 'ReadLimitError';
    this.limit = limit;
    this.max = max;
    this.line = line;
  }
}
