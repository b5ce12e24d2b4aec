import type { ReadLimits } from '@draftshelf/csv/limits';
import type { SizeLimits } from '@draftshelf/domain/reading/list-files';
import { type EnvSource, readEnv } from '@draftshelf/runtime/env';
import { envSchema } from '@draftshelf/runtime/env-catalog';

const ParseEnv = envSchema('parse-worker');

/** Reads the worker's configuration; throws ConfigurationError with every problem. */
export function readConfig(source: EnvSource) {
  const env = readEnv(ParseEnv, source);
  const limits: Required<Omit<ReadLimits, 'fileBytesMax' | 'packedRowsMax'>> & SizeLimits = {
    csvBytesMax: env.CSV_BYTES_MAX,
    archiveBytesMax: env.ARCHIVE_BYTES_MAX,
    recordBytesMax: env.RECORD_BYTES_MAX,
    cellBytesMax: env.CELL_BYTES_MAX,
    columnsMax: env.COLUMNS_MAX,
    rowsMax: env.ROWS_MAX,
  };
  return { ...env, limits };
}
