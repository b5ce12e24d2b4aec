import { accessKeyProblem } from '@draftshelf/runtime/access-key';
import {
  Addresses,
  Bytes,
  ConfigurationError,
  Count,
  DatabaseUrl,
  type EnvSource,
  Hosts,
  HttpUrl,
  LogLevel,
  Port,
  RedisUrl,
  readEnv,
  SealingEnv,
  Secret,
  Text,
} from '@draftshelf/runtime/env';
import { z } from 'zod';

const StartEnv = z.object({
  PORT: Port.refine((port) => port > 0, 'expected a port from 1 to 65535').default(3000),
  HOST: Text.default('127.0.0.1'),
  PUBLIC_URL: HttpUrl.optional(),
  TRUSTED_PROXIES: Addresses.optional(),
  DATA_DIR: Text.default('.data'),
  // Unset: one is generated and stored. Set but empty: no key.
  ACCESS_KEY: z.string().optional(),
  SESSION_SECRET: Secret.optional(),
  LOG_LEVEL: LogLevel,
  DATABASE_URL: DatabaseUrl.optional(),
  REDIS_URL: RedisUrl.optional(),
  S3_ENDPOINT: HttpUrl.optional(),
  S3_ACCESS_KEY: Text.optional(),
  S3_SECRET_KEY: Secret.optional(),
  S3_BUCKET: Text.default('draftshelf'),
  S3_REGION: Text.default('us-east-1'),
  // The api and the workers have the defaults; here the values are only checked together with the rest.
  CSV_BYTES_MAX: Bytes.optional(),
  RECORD_BYTES_MAX: Bytes.optional(),
  CELL_BYTES_MAX: Bytes.optional(),
  COLUMNS_MAX: Count.optional(),
  ROWS_MAX: Count.optional(),
  CONCURRENCY: Count.optional(),
  // Unset: one is generated and stored.
  ...SealingEnv.shape,
  // Sources of product data. If one of them or a store is configured, the simulated sources do not run.
  UPCITEMDB_URL: HttpUrl.optional(),
  UPCITEMDB_KEY: Secret.optional(),
  OPEN_PRODUCTS_FACTS_URL: HttpUrl.optional(),
  BARCODE_LOOKUP_URL: HttpUrl.optional(),
  BARCODE_LOOKUP_KEY: Secret.optional(),
  SOURCES_CONTACT: Text.optional(),
  FETCH_ALLOW: Text.optional(),
  IMAGE_HOSTS: Hosts.optional(),
  SHOPIFY_STORE_URL: HttpUrl.optional(),
  SHOPIFY_ACCESS_TOKEN: Secret.optional(),
  SHOPIFY_CLIENT_ID: Text.optional(),
  SHOPIFY_CLIENT_SECRET: Secret.optional(),
  SHOPIFY_API_VERSION: z
    .string()
    .regex(/^(\d{4}-\d{2}|unstable)$/, 'expected a version like 2026-10')
    .optional(),
});
export type StartConfig = z.infer<typeof StartEnv> & { PUBLIC_URL: string };

/**
 * The configuration of `npm start`.
 *
 * @throws ConfigurationError naming every problem at once
 */
export function readStartConfig(source: EnvSource): StartConfig {
  const config = readEnv(StartEnv, source);
  const problems = [...storageProblems(config), ...storeProblems(config)];
  const keyProblem = accessKeyProblem(config);
  if (keyProblem !== null) problems.push(keyProblem);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return { ...config, PUBLIC_URL: config.PUBLIC_URL ?? `http://localhost:${config.PORT}` };
}

function storageProblems(config: z.infer<typeof StartEnv>): string[] {
  const group = ['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const;
  const missing = group.filter((name) => config[name] === undefined);
  if (missing.length === 0 || missing.length === group.length) return [];
  return [`${missing.join(' and ')} must be set too: object storage is given by ${group.join(', ')}`];
}

function storeProblems(config: z.infer<typeof StartEnv>): string[] {
  const { SHOPIFY_ACCESS_TOKEN: token, SHOPIFY_CLIENT_ID: id, SHOPIFY_CLIENT_SECRET: secret } = config;
  const problems: string[] = [];
  if ((id === undefined) !== (secret === undefined)) {
    problems.push('SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET go together');
  }
  const hasAccess = token !== undefined || id !== undefined || secret !== undefined;
  if (config.SHOPIFY_STORE_URL === undefined && hasAccess) {
    problems.push('SHOPIFY_STORE_URL must be set too, because credentials for a store are set');
  }
  if (config.SHOPIFY_STORE_URL !== undefined && !hasAccess) {
    problems.push('SHOPIFY_ACCESS_TOKEN, or SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET, must be set too');
  }
  return problems;
}
