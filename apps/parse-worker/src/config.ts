import { type ReadLimits, readLimitsDefault } from '@draftshelf/csv/limits';
import { StorageEnv } from '@draftshelf/object-storage/storage-env';
import { WorkerEnv } from '@draftshelf/queues/worker-process';
import { Bytes, Count, type EnvSource, readEnv } from '@draftshelf/runtime/env';

const ParseEnv = WorkerEnv.extend({
  ...StorageEnv.shape,
  RECORD_BYTES_MAX: Bytes.default(readLimitsDefault.recordBytesMax),
  CELL_BYTES_MAX: Bytes.default(readLimitsDefault.cellBytesMax),
  COLUMNS_MAX: Count.default(readLimitsDefault.columnsMax),
  ROWS_MAX: Count.default(readLimitsDefault.rowsMax),
});

/** Reads the worker's configuration; throws ConfigurationError with every problem. */
export function readConfig(source: EnvSource) {
  const env = readEnv(ParseEnv, source);
  const limits: Required<Omit<ReadLimits, 'fileBytesMax'>> = {
    recordBytesMax: env.RECORD_BYTES_MAX,
    cellBytesMax: env.CELL_BYTES_MAX,
    columnsMax: env.COLUMNS_MAX,
    rowsMax: env.ROWS_MAX,
  };
  return { ...env, limits };
}
