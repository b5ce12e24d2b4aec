type LimitsEnv = Record<
  'CSV_BYTES_MAX' | 'ARCHIVE_BYTES_MAX' | 'RECORD_BYTES_MAX' | 'CELL_BYTES_MAX' | 'COLUMNS_MAX' | 'ROWS_MAX',
  number
>;

export const fileLimitsOf = (env: LimitsEnv) => ({
  csvBytesMax: env.CSV_BYTES_MAX,
  archiveBytesMax: env.ARCHIVE_BYTES_MAX,
  recordBytesMax: env.RECORD_BYTES_MAX,
  cellBytesMax: env.CELL_BYTES_MAX,
  columnsMax: env.COLUMNS_MAX,
  rowsMax: env.ROWS_MAX,
});
