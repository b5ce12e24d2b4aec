import type { FileLimits } from '@draftshelf/core/reading/take-file';
import { type EnvSource, readEnv } from '@draftshelf/runtime/env';
import { envSchema } from '@draftshelf/runtime/env-catalog';

const FolderEnv = envSchema('folder-worker');

/** Reads the worker's configuration; throws ConfigurationError with every problem. */
export function readConfig(source: EnvSource) {
  const env = readEnv(FolderEnv, source);
  const limits: FileLimits = {
    csvBytesMax: env.CSV_BYTES_MAX,
    archiveBytesMax: env.ARCHIVE_BYTES_MAX,
    recordBytesMax: env.RECORD_BYTES_MAX,
    cellBytesMax: env.CELL_BYTES_MAX,
    columnsMax: env.COLUMNS_MAX,
    rowsMax: env.ROWS_MAX,
  };
  return { ...env, limits };
}
