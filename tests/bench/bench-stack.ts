import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import { migrate } from '@draftshelf/core/migrations/migrate';
import type { AppName } from '@draftshelf/infra/app-mains';
import { compileApps } from '@draftshelf/infra/compile-apps';
import { startPostgres } from '@draftshelf/infra/embedded-postgres';
import { freePort } from '@draftshelf/infra/free-port';
import { giveWay } from '@draftshelf/infra/give-way';
import type { StorageEnv } from '@draftshelf/object-storage/connect';
import { type AppProcess, startApp } from '../support/app-process.ts';
import { familyProcessorSeconds, processorSeconds } from './processor.ts';

/** The product's processes on the embedded services, as `npm start` runs them. */
export type BenchStack = {
  dir: string;
  /** The folder that a started folder worker watches. */
  watchFolder: string;
  apiUrl: string;
  cookie: string;
  database: OpenDatabase;
  storage: StorageEnv;
  /** Delays the answers of a started store, alternating between the two delays. */
  slowStore(delaysMs: readonly [number, number]): Promise<void>;
  store: BenchStore;
  app(name: AppName): AppProcess;
  pidsOf(name: AppName): number[];
  /** Starts another api on a port of its own. */
  startAnotherApi(): Promise<{ url: string; pid: number }>;
  /** Seconds of processor time used so far by Postgres, and by the apps and object storage. */
  processor(): { postgres: number; product: number };
  close(): Promise<void>;
};

/** The simulated store. */
export type BenchStore = {
  ask(query: string, variables: object): Promise<{ data?: unknown; errors?: unknown }>;
  /** Its points: now, at most and charged so far; the calls that it answered, and how many of them with THROTTLED. */
  state(): Promise<{
    available: number;
    capacity: number;
    charged: number;
    calls: number;
    throttled: number;
  }>;
};

const accessKey = 'right horse battery';
const csvBytesMax = 4 * 1024 * 1024 * 1024;

const storeToken = 'a token of the benchmarks';

/**
 * Starts Postgres, object storage and the apps of `names`, and logs in. `close` removes their directory.
 * `webDir`: the built web app, for the api. `plan`: the store's, Standard by default.
 */
export async function startBenchStack(
  names: readonly AppName[],
  options: { webDir?: string; plan?: string } = {},
): Promise<BenchStack> {
  const dir = await mkdtemp(join(tmpdir(), 'draftshelf-bench-'));
  const watchFolder = join(dir, 'watched');
  await mkdir(watchFolder);
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const [postgres, s3] = await Promise.all([
    startPostgres({ dir: join(dir, 'postgres') }),
    startObjectStorage(join(dir, 's3')),
    compileApps(root),
  ]);
  const database = openDatabase({ connectionString: postgres.url, applicationName: 'draftshelf-bench' });
  const apps: AppProcess[] = [];
  const close = async () => {
    await Promise.all(apps.map((app) => app.stop()));
    await database.close();
    await Promise.all([s3.stop(), postgres.stop()]);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await migrate(database);
    const [port, storePort] = [await freePort(), await freePort()];
    const storeUrl = `http://127.0.0.1:${storePort}`;
    const apiUrl = `http://127.0.0.1:${port}`;
    const env = {
      DATABASE_URL: postgres.url,
      ...s3.env,
      S3_BUCKET: 'bench',
      SHOPIFY_STORE_URL: storeUrl,
      SHOPIFY_ACCESS_TOKEN: storeToken,
      PORT: String(port),
      PUBLIC_URL: apiUrl,
      ACCESS_KEY: accessKey,
      SESSION_SECRET: 'a secret of the benchmarks',
      WEB_DIR: options.webDir ?? dir,
      CSV_BYTES_MAX: String(csvBytesMax),
      WATCH_FOLDER: watchFolder,
    };
    const storeEnv = {
      PORT: String(storePort),
      DATA_DIR: join(dir, 'store'),
      ACCESS_TOKEN: storeToken,
      PLAN: options.plan ?? 'standard',
    };
    for (const name of names) {
      const own = name === 'store-simulator' ? storeEnv : env;
      apps.push(await startApp(name, own, { asSupervised: true }));
    }
    return {
      dir,
      watchFolder,
      apiUrl,
      cookie: await login(apiUrl),
      database,
      storage: env,
      slowStore: (delaysMs) => slowDown(storeUrl, delaysMs),
      store: benchStore(storeUrl),
      app(name) {
        const found = apps.find((app) => app.name === name);
        if (!found) throw new Error(`${name} was not started`);
        return found;
      },
      pidsOf: (name) => apps.filter((app) => app.name === name).map(({ pid }) => pid),
      async startAnotherApi() {
        const ownPort = String(await freePort());
        const started = await startApp('api', { ...env, PORT: ownPort }, { asSupervised: true });
        apps.push(started);
        return { url: `http://127.0.0.1:${ownPort}`, pid: started.pid };
      },
      processor: () => ({
        postgres: familyProcessorSeconds(postgres.pid() ?? 0),
        product: [s3.pid, ...apps.map((app) => app.pid)].reduce((sum, pid) => sum + processorSeconds(pid), 0),
      }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function benchStore(url: string): BenchStore {
  const headers = { 'content-type': 'application/json', 'x-shopify-access-token': storeToken };
  const ask = async (query: string, variables: object) => {
    const body = JSON.stringify({ query, variables });
    const answer = await fetch(`${url}/admin/api/2026-10/graphql.json`, { method: 'POST', headers, body });
    return answer.json();
  };
  return {
    ask,
    async state() {
      const { extensions } = await ask('{ shop { name } }', {});
      const stats = await (await fetch(`${url}/__stats`, { headers })).json();
      const sum = (counts: Record<string, number>) =>
        Object.values(counts).reduce((all, one) => all + one, 0);
      return {
        available: extensions.cost.throttleStatus.currentlyAvailable,
        capacity: extensions.cost.throttleStatus.maximumAvailable,
        charged: sum(stats.points),
        calls: sum(stats.requests),
        throttled: stats.throttled,
      };
    },
  };
}

async function slowDown(storeUrl: string, [first, second]: readonly [number, number]): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-shopify-access-token': storeToken };
  const times = Number.MAX_SAFE_INTEGER;
  for (const fault of [
    { kind: 'delay', delayMs: first, times },
    { kind: 'delay', delayMs: second - first, every: 2, times },
  ]) {
    const answer = await fetch(`${storeUrl}/__faults`, {
      method: 'POST',
      headers,
      body: JSON.stringify(fault),
    });
    if (!answer.ok) throw new Error(`The store answered ${answer.status}: ${await answer.text()}`);
  }
}

async function startObjectStorage(dir: string) {
  const port = await freePort();
  const env = { S3_ACCESS_KEY: 'bench', S3_SECRET_KEY: 'a secret of the benchmarks', S3_REGION: 'us-east-1' };
  const child = fork(fileURLToPath(import.meta.resolve('@draftshelf/infra/s3/s3-main')), {
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: dir, ...env },
    silent: true,
    detached: true,
  });
  giveWay(child.pid);
  await once(child, 'message');
  return {
    pid: child.pid ?? 0,
    env: { ...env, S3_ENDPOINT: `http://127.0.0.1:${port}` },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Signs in `count` browsers; returns their cookies. */
export async function signInBrowsers({ apiUrl }: BenchStack, count: number): Promise<string[]> {
  const cookies: string[] = [];
  while (cookies.length < count) cookies.push(await login(apiUrl));
  return cookies;
}

async function login(apiUrl: string): Promise<string> {
  const answer = await fetch(`${apiUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ accessKey }),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0];
  if (!answer.ok || !cookie) throw new Error(`The login answered ${answer.status}`);
  return cookie;
}
