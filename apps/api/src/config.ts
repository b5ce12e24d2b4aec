import { readLimitsDefault } from '@draftshelf/csv/limits';
import { StorageEnv } from '@draftshelf/object-storage/storage-env';
import { type AccessEnv, accessKeyProblem } from '@draftshelf/runtime/access-key';
import {
  Addresses,
  Bytes,
  Count,
  DatabaseUrl,
  type EnvSource,
  HttpUrl,
  LogLevel,
  Port,
  RedisUrl,
  readEnv,
  SealingEnv,
  Secret,
  Text,
} from '@draftshelf/runtime/env';
import type { Store } from '@draftshelf/shopify/client';
import { isCompleteStore, StoreEnv, storeIncomplete, storeOf } from '@draftshelf/shopify/store-env';
import { SourcesEnv } from '@draftshelf/sources/sources-env';
import { z } from 'zod';

/** 50 MB, the specification's limit. */
const csvBytesMaxDefault = 50 * 1024 * 1024;

const ApiEnv = z
  .object({
    DATABASE_URL: DatabaseUrl,
    REDIS_URL: RedisUrl.optional(),
    ...StorageEnv.shape,
    PORT: Port.default(3000),
    HOST: Text.default('127.0.0.1'),
    PUBLIC_URL: HttpUrl.optional(),
    TRUSTED_PROXIES: Addresses.default([]),
    ACCESS_KEY: z.string({
      error:
        'expected the access key of the operators; set it empty to turn sign-in off, on a loopback address only',
    }),
    SESSION_SECRET: Secret,
    WEB_DIR: Text,
    CSV_BYTES_MAX: Bytes.default(csvBytesMaxDefault),
    RECORD_BYTES_MAX: Bytes.default(readLimitsDefault.recordBytesMax),
    CELL_BYTES_MAX: Bytes.default(readLimitsDefault.cellBytesMax),
    COLUMNS_MAX: Count.default(readLimitsDefault.columnsMax),
    ROWS_MAX: Count.default(readLimitsDefault.rowsMax),
    ...StoreEnv.shape,
    ...SealingEnv.shape,
    /** The demo store that `npm start` runs, saved as credentials unless the operator has saved others. */
    DEMO_STORE_URL: HttpUrl.optional(),
    DEMO_STORE_TOKEN: Secret.optional(),
    /** Whether other stores on this machine and in its network may be entered in Settings. */
    LOCAL_STORES: z
      .enum(['true', 'false'], { error: 'expected true or false' })
      .default('false')
      .transform((text) => text === 'true'),
    ...SourcesEnv.shape,
    /** Development: a reply that breaks its contract is an error. */
    CHECK_REPLIES: z.literal('true').optional(),
    LOG_LEVEL: LogLevel,
  })
  .refine((env) => accessKeyProblem(env) === null, {
    error: ({ input }) => accessKeyProblem(input as AccessEnv),
    when: () => true,
  })
  .refine(isCompleteStore, { error: storeIncomplete, when: () => true });

export type ApiConfig = Omit<z.infer<typeof ApiEnv>, 'PUBLIC_URL'> & {
  PUBLIC_URL: string;
  store: Store | null;
};

/** Reads the api's configuration. Throws one ConfigurationError that lists all problems. */
export function readConfig(source: EnvSource): ApiConfig {
  const env = readEnv(ApiEnv, source);
  return { ...env, store: storeOf(env), PUBLIC_URL: env.PUBLIC_URL ?? `http://localhost:${env.PORT}` };
}
