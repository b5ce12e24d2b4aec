import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@draftshelf/core/connection/database';
import { migrate } from '@draftshelf/core/migrations/migrate';
import { startPostgres } from '@draftshelf/infra/embedded-postgres';
import { freePort } from '@draftshelf/infra/free-port';
import pg from 'pg';
import { type AppProcess, startMain } from '../support/app-process.ts';
import { until } from '../support/fixture.ts';
import type { TestServices } from '../support/services.ts';

/** Separate Postgres and object storage, so that they can be killed. */
export type OwnServices = TestServices & {
  /** Signals the postmaster, and waits until it has been restarted and answers. */
  endPostgres(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** Freezes or continues Postgres with all its processes. */
  signalPostgres(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Kills a connection's process: Postgres then ends all others and recovers. */
  killBackend(pid: number): Promise<void>;
  storage(): AppProcess;
  startStorage(): Promise<void>;
  stop(): Promise<void>;
};

const s3Main = new URL('../../infra/s3/s3-main.ts', import.meta.url);
const s3Keys = { accessKey: 'faults', secretKey: 'a secret of the fault tests', region: 'us-east-1' };
const templateDatabase = 'draftshelf_template';

/** Starts them in a temporary directory. */
export async function startOwnServices(): Promise<OwnServices> {
  const dir = await mkdtemp(join(tmpdir(), 'draftshelf-faults-'));
  const silent = { log: undefined, report: () => {} };
  const postgres = await startPostgres({ dir: join(dir, 'postgres'), observer: silent, givesWay: false });
  const s3Port = await freePort();
  let storage: AppProcess;
  const startStorage = async () => {
    storage = await startMain('s3', s3Main, {
      PORT: String(s3Port),
      DATA_DIR: join(dir, 's3'),
      S3_ACCESS_KEY: s3Keys.accessKey,
      S3_SECRET_KEY: s3Keys.secretKey,
      S3_REGION: s3Keys.region,
    });
  };
  const stop = async () => {
    await storage?.stop();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  };
  let frozen: readonly number[] = [];
  /** The postmaster first, so that it starts no other processes. */
  const pidsOfPostgres = async () => {
    const postmaster = postgres.pid();
    if (postmaster === undefined) throw new Error('Postgres does not run');
    return [postmaster, ...(await pidsOfBackends(postgres.url))];
  };
  const answersAgain = () => until('Postgres answers', () => answers(postgres.url), 60_000);
  try {
    await startStorage();
    await makeTemplate(postgres.url);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    postgresUrl: postgres.url,
    templateDatabase,
    s3: { endpoint: `http://127.0.0.1:${s3Port}`, ...s3Keys },
    async endPostgres(signal) {
      const pid = postgres.pid();
      if (pid === undefined) throw new Error('Postgres does not run');
      process.kill(pid, signal);
      await until('it has ended', () => postgres.pid() !== pid, 30_000);
      await answersAgain();
    },
    async signalPostgres(signal) {
      if (signal === 'SIGSTOP') frozen = await pidsOfPostgres();
      for (const pid of frozen) signalIfThere(pid, signal);
    },
    async killBackend(pid) {
      process.kill(pid, 'SIGKILL');
      await answersAgain();
    },
    storage: () => storage,
    startStorage,
    stop,
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function pidsOfBackends(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
    return rows.map(({ pid }) => pid);
  } finally {
    await client.end();
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function makeTemplate(postgresUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: postgresUrl });
  await admin.connect();
  await admin.query(`create database ${templateDatabase}`);
  await admin.end();
  const url = new URL(postgresUrl);
  url.pathname = `/${templateDatabase}`;
  const template = openDatabase({ connectionString: url.href, applicationName: 'template', poolMax: 1 });
  try {
    await migrate(template);
  } finally {
    await template.close();
  }
}
