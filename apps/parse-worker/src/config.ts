import { readLimitsDefault } from '@draftshelf/csv/limits';
import { WorkerEnv } from '@draftshelf/queues/worker-process';
import { Bytes, Count, type EnvSource, HttpUrl, readEnv, Secret, Text } from '@draftshelf/runtime/env';

const ParseEnv = WorkerEnv.extend({
  S3_ENDPOINT: HttpUrl,
  S3_ACCESS_KEY: Secret,
  S3_SECRET_KEY: Secret,
  S3_BUCKET: Text,
  S3_REGION: Text.default('us-east-1'),
  RECORD_BYTES_MAX: Bytes.default(readLimitsDefault.recordBytesMax),
  COLUMNS_MAX: Count.default(readLimitsDefault.columnsMax),
  ROWS_MAX: Count.default(readLimitsDefault.rowsMax),
});

/** Reads the worker's configuration; throws ConfigurationError with every problem. */
export const readConfig = (source: EnvSource) => readEnv(ParseEnv, source);
