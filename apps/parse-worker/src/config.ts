import { readLimitsDefault } from '@draftshelf/csv/limits';
import { StorageEnv } from '@draftshelf/object-storage/storage-env';
import { WorkerEnv } from '@draftshelf/queues/worker-process';
import { Bytes, Count, type EnvSource, readEnv } from '@draftshelf/runtime/env';

const ParseEnv = WorkerEnv.extend({
  ...StorageEnv.shape,
  RECORD_BYTES_MAX: Bytes.default(readLimitsDefault.recordBytesMax),
  COLUMNS_MAX: Count.default(readLimitsDefault.columnsMax),
  ROWS_MAX: Count.default(readLimitsDefault.rowsMax),
});

/** Reads the worker's configuration; throws ConfigurationError with every problem. */
export const readConfig = (source: EnvSource) => readEnv(ParseEnv, source);
