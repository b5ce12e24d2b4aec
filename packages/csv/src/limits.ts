/** Limits of one file. The environment sets them as RECORD_BYTES_MAX, COLUMNS_MAX, ROWS_MAX and so on. */
export type ReadLimits = {
  recordBytesMax: number;
  columnsMax: number;
  rowsMax: number;
  /** Set only for packed files. The limit depends on the size of the file. */
  packedRowsMax?: number;
  /** If absent, a cell may be as long as a record. */
  cellBytesMax?: number;
  fileBytesMax?: number;
};

export const readLimitsDefault = {
  recordBytesMax: 1024 * 1024,
  columnsMax: 2000,
  rowsMax: 10_000_000,
  cellBytesMax: 1024 * 1024,
} satisfies ReadLimits;

/** Default of the largest CSV file, in bytes. */
export const fileBytesMaxDefault = 50 * 1024 * 1024;

/** Default of the largest archive with a list and its pictures, in bytes. */
export const archiveBytesMaxDefault = 512 * 1024 * 1024;

const sentences: Record<keyof ReadLimits, (max: string, line: string) => string> = {
  recordBytesMax: (max, line) =>
    `Row at line ${line} is longer than ${max}. Check that line for a missing line break or closing quote, or raise RECORD_BYTES_MAX.`,
  columnsMax: (max, line) =>
    `Row at line ${line} has more than ${max} columns. Check the separator of the file, or raise COLUMNS_MAX.`,
  rowsMax: (max, line) =>
    `The file has more than ${max} rows (reached at line ${line}). Split it into smaller files, or raise ROWS_MAX.`,
  packedRowsMax: (max, line) =>
    `The file unpacks to more than ${max} rows (reached at line ${line}), too many for its size. Upload the list in it as CSV.`,
  cellBytesMax: (max, line) =>
    `Row at line ${line} has a cell of more than ${max}. Check that line for a missing closing quote, or raise CELL_BYTES_MAX.`,
  fileBytesMax: (max) =>
    `The file is larger than ${max}. Split it into smaller files, or raise CSV_BYTES_MAX.`,
};

/** Any packed file may have 100,000 rows, and one more per 8 packed bytes. Rows of real lists take at least 8 bytes. */
const [packedRowsMin, packedRowBytesMin] = [100_000, 8];

/** Limits the rows by the size of a packed file, so that a few bytes cannot become millions of rows. */
export const withPackedRowsMax = <L extends ReadLimits>(limits: L, fileBytes: number): L => ({
  ...limits,
  packedRowsMax: packedRowsMin + Math.floor(fileBytes / packedRowBytesMin),
});

/** Formats 1048576 as '1 MB' and 2048 as '2 KB'. */
export function formatSize(bytes: number): string {
  if (bytes % 2 ** 20 === 0) return `${count(bytes / 2 ** 20)} MB`;
  return bytes % 1024 === 0 ? `${count(bytes / 1024)} KB` : `${count(bytes)} bytes`;
}

const count = (number: number) => number.toLocaleString('en-US');

/** Thrown by a scanner when the file exceeds a limit. */
export class ReadLimitError extends Error {
  override readonly name = 'ReadLimitError';

  /** `line`: the line at which the record over the limit begins, or 1 if the file itself is too large. */
  constructor(limit: keyof ReadLimits, max: number, line: number) {
    super(sentences[limit](limit.includes('Bytes') ? formatSize(max) : count(max), count(line)));
  }
}
