import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CredentialPurpose, deriveSealingKey, purposesByWorker } from '@draftshelf/core/access/sealing';
import { grantToAppRole } from '@draftshelf/core/migrations/app-role';
import type { AppName } from '@draftshelf/infra/app-mains';
import { testAccessKey } from './api-client.ts';
import { type AppProcess, startApp } from './app-process.ts';
import { type Fixture, fixtureEnv, openFixture } from './fixture.ts';
import { ownPort } from './own-port.ts';
import { type QueueBackend, type RunningRedis, startRedis } from './queue-backend.ts';
import type { TestServices } from './services.ts';

/** The whole product with real processes, its own database and bucket, and a store. */
export type Stack = Fixture & {
  store: StoreView;
  /** The api's address, if it was started. */
  apiUrl: string;
  /** The folder that the folder worker watches, if it was started. */
  watchFolder: string;
  /** Removes all jobs from the queue, like FLUSHALL; returns how much was removed. */
  emptyQueue(): Promise<number>;
  processes: Map<AppName, AppProcess>;
  /** The Redis with BullMQ's jobs, if they are not in Postgres. */
  redis: RunningRedis | undefined;
  /** Starts a process again after it was killed. */
  start(name: AppName): Promise<AppProcess>;
  /** Starts another process of the same kind; `env` replaces variables. */
  startAnother(name: AppName, env?: Record<string, string>): Promise<AppProcess>;
  process(name: AppName): AppProcess;
};

export type StoredProduct = {
  id: number;
  title: string;
  status: string;
  variants: { price: string; sku: string | null; barcode: string | null }[];
  metafields: { namespace: string; key: string; value: string }[];
  media: { originalSource: string; alt: string | null; failure?: string }[];
};

/** Control of the store for tests, outside of the Admin API. */
export type StoreView = {
  url: string;
  products(): Promise<StoredProduct[]>;
  /** The uploaded files; `used`: the images of products that were made of each. */
  staged(): Promise<{ sha256: string | null; used: number }[]>;
  stats(): Promise<{
    products: number;
    throttled: number;
    requests: Record<string, number>;
    points: Record<string, number>;
  }>;
  fault(fault: object): Promise<void>;
  clearFaults(): Promise<void>;
  edit(id: number, change: object): Promise<void>;
  /** Makes, changes or removes a definition of metafields of products. */
  define(definition: object): Promise<void>;
};

/** Signs the sessions of a stack's api. */
export const sessionSecret = 'a secret of the tests';
export const storeToken = 'test-token';
export const appCredentials = { id: 'test-app', secret: 'test-app-secret' };

/**
 * Starts the processes of `names`: workers and store by default. `plan`: the store's rate, the fastest by default.
 * `webDir`: the built web app, for the api. `backend`: where BullMQ stores its jobs, Postgres by default. `services`:
 * if absent, those of the test run. `asApp`: uses app credentials for the store, whose tokens expire. `credentialsKey`:
 * the processes have this key, and no store in their environment. `asAppRole`: the processes use a role that owns no
 * tables, as they do outside of tests. `rootOf`: the root of the version that a process which starts now belongs to.
 */
export async function startStack(
  options: {
    names?: AppName[];
    plan?: string;
    env?: Record<string, string>;
    webDir?: string;
    backend?: QueueBackend;
    services?: TestServices;
    asApp?: boolean;
    credentialsKey?: string;
    asAppRole?: boolean;
    rootOf?: (name: AppName) => URL;
  } = {},
): Promise<Stack> {
  const fixture = await openFixture(options.services);
  const redis = options.backend === 'redis' ? await startRedis() : undefined;
  const dir = await mkdtemp(join(tmpdir(), 'draftshelf-stack-'));
  const watchFolder = join(dir, 'watched');
  await mkdir(watchFolder);
  const storePort = await ownPort();
  const storeUrl = `http://127.0.0.1:${storePort}`;
  const apiPort = await ownPort();
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const env: Record<string, string> = {
    ...fixtureEnv(fixture),
    ...(options.asAppRole ? { DATABASE_URL: await withAppRole(fixture) } : {}),
    ...(redis ? { REDIS_URL: redis.url } : {}),
    RETRY_BASE_MS: '50',
    ...(options.credentialsKey
      ? { CREDENTIALS_KEY: options.credentialsKey, LOCAL_STORES: 'true' }
      : storeEnvOf(storeUrl, options.asApp ?? false)),
    ...options.env,
  };
  const storeEnv = {
    PORT: String(storePort),
    DATA_DIR: join(dir, 'store'),
    ACCESS_TOKEN: storeToken,
    CLIENT_ID: appCredentials.id,
    CLIENT_SECRET: appCredentials.secret,
    PLAN: options.plan ?? 'enterprise',
  };
  const apiEnv = {
    ...env,
    PORT: String(apiPort),
    PUBLIC_URL: apiUrl,
    ACCESS_KEY: testAccessKey,
    SESSION_SECRET: sessionSecret,
    WEB_DIR: options.webDir ?? dir,
  };
  const { CREDENTIALS_KEY: rootKey, ...workerEnv } = env;
  const envOfWorker = (name: AppName) => {
    const purpose = (purposesByWorker as Partial<Record<AppName, CredentialPurpose>>)[name];
    return rootKey === undefined || purpose === undefined
      ? workerEnv
      : { ...workerEnv, SEALING_KEY: deriveSealingKey(rootKey, purpose) };
  };
  const others: Partial<Record<AppName, Record<string, string>>> = {
    'store-simulator': storeEnv,
    api: apiEnv,
    'folder-worker': { ...envOfWorker('folder-worker'), WATCH_FOLDER: watchFolder },
  };
  const envOf = (name: AppName) => others[name] ?? envOfWorker(name);
  const processes = new Map<AppName, AppProcess>();
  const all = new Set<AppProcess>();
  const startAnother = async (name: AppName, own: Record<string, string> = {}) => {
    const started = await startApp(name, { ...envOf(name), ...own }, { root: options.rootOf?.(name) });
    all.add(started);
    return started;
  };
  const start = async (name: AppName) => {
    const started = await startAnother(name);
    processes.set(name, started);
    return started;
  };
  const close = async () => {
    await Promise.all([...all].map((process) => process.stop()));
    await redis?.stop();
    await fixture.close();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await Promise.all(
      (options.names ?? ['store-simulator', 'parse-worker', 'enrich-worker', 'push-worker']).map(start),
    );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...fixture,
    store: viewStore(storeUrl),
    apiUrl,
    watchFolder,
    emptyQueue: () => (redis ? redis.flush() : deleteJobs(fixture)),
    processes,
    redis,
    start,
    startAnother,
    process(name) {
      const found = processes.get(name);
      if (!found) throw new Error(`${name} was not started`);
      return found;
    },
    close,
  };
}

/** Returns the connection string of the role. */
async function withAppRole({ database, databaseUrl }: Fixture): Promise<string> {
  const url = new URL(databaseUrl);
  // Other test files create a role at the same time, which must not be the same one.
  url.username = `${url.pathname.slice(1)}_app`;
  url.password = 'a password of the tests';
  await grantToAppRole(database, url.href);
  return url.href;
}

function storeEnvOf(url: string, asApp: boolean): Record<string, string> {
  if (!asApp) return { SHOPIFY_STORE_URL: url, SHOPIFY_ACCESS_TOKEN: storeToken };
  const { id, secret } = appCredentials;
  return { SHOPIFY_STORE_URL: url, SHOPIFY_CLIENT_ID: id, SHOPIFY_CLIENT_SECRET: secret };
}

async function deleteJobs({ database }: Fixture): Promise<number> {
  const { rowCount } = await database.pool.query('delete from bullmq.job');
  return rowCount ?? 0;
}

function viewStore(url: string): StoreView {
  const headers = { 'x-shopify-access-token': storeToken, 'content-type': 'application/json' };
  const ask = async (path: string, body?: object) => {
    const response = await fetch(
      `${url}${path}`,
      body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers },
    );
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    url,
    products: () => ask('/__products'),
    staged: () => ask('/__staged'),
    stats: () => ask('/__stats'),
    fault: (fault) => ask('/__faults', fault),
    async clearFaults() {
      await fetch(`${url}/__faults`, { method: 'DELETE', headers });
    },
    edit: (id, change) => ask(`/__edit/${id}`, change),
    define: (definition) => ask('/__definitions', definition),
  };
}
