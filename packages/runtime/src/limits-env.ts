import type { Preferences, RetentionName } from '@draftshelf/domain/access/preferences';

type LimitsEnv = Record<
  'CSV_BYTES_MAX' | 'ARCHIVE_BYTES_MAX' | 'RECORD_BYTES_MAX' | 'CELL_BYTES_MAX' | 'COLUMNS_MAX' | 'ROWS_MAX',
  number
>;

export const toFileLimits = (env: LimitsEnv) => ({
  csvBytesMax: env.CSV_BYTES_MAX,
  archiveBytesMax: env.ARCHIVE_BYTES_MAX,
  recordBytesMax: env.RECORD_BYTES_MAX,
  cellBytesMax: env.CELL_BYTES_MAX,
  columnsMax: env.COLUMNS_MAX,
  rowsMax: env.ROWS_MAX,
});

type RetentionEnv = Partial<Record<'KEEP_ROWS_DAYS' | 'KEEP_FILES_DAYS', number | null | undefined>>;

/** Returns the retention days that the environment sets. They override the preferences of the same names. */
export function readRetention(env: RetentionEnv): Partial<Pick<Preferences, RetentionName>> {
  const { KEEP_ROWS_DAYS: rows, KEEP_FILES_DAYS: files } = env;
  return {
    ...(rows === undefined ? {} : { keepRowsDays: rows }),
    ...(files === undefined ? {} : { keepFilesDays: files }),
  };
}
