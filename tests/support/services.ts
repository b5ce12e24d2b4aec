import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@draftshelf/core/connection/database';
import { migrate } from '@draftshelf/core/migrations/migrate';
import { compileApps } from '@draftshelf/infra/compile-apps';
import { startPostgres } from '@draftshelf/infra/embedded-postgres';
import { readProcess } from '@draftshelf/infra/process-table';
import { startS3 } from '@draftshelf/infra/s3/s3-server';
import { createQueue } from '@draftshelf/queues/connection';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { ownRoot } from './app-process.ts';

/** Connections to the services; fixture.ts creates databases and buckets in them. */
export type TestServices = {
  /** A superuser's connection string, to the maintenance database. */
  postgresUrl: string;
  /** A migrated database without connections, for `create database … template …`. */
  templateDatabase: string;
  s3: { endpoint: string; accessKey: string; secretKey: string; region: string };
};

declare module 'vitest' {
  interface ProvidedContext {
    services: TestServices;
  }
}

const templateDatabase = 'draftshelf_template';

/** Nothing here outlives its Postgres, so it need not wait for the disk, nor write whole pages. */
const hastySettings = ['fsync', 'synchronous_commit', 'full_page_writes'];

/**
 * A file system in memory, where there is one. Each database is a thousand files, and so is what empties one. On ext4 a
 * database costs half a second of processor time, because new files pass over the places of those just deleted; here it
 * costs a twentieth.
 */
const memoryDir = '/dev/shm';

/** Free memory that Postgres may need at most, with some reserve. */
const memoryBytesMin = 8 * 1024 ** 3;

const dirPrefix = 'draftshelf-tests-';

/** Services for tests: their connections and how to stop them. */
export type RunningServices = Pick<TestServices, 'postgresUrl' | 's3'> & { stop(): Promise<void> };

/** Each project of a run has this module for itself; they share the services. */
type Run = typeof globalThis & {
  draftshelfServices?: { ready: Promise<RunningServices>; users: number } | undefined;
};
const run: Run = globalThis;

/**
 * vitest's global set-up: one Postgres and one S3 server for all test files, embedded, or in containers with
 * TEST_SERVICES=containers if there is an engine.
 */
export default async function startServices(project: TestProject): Promise<() => Promise<void>> {
  run.draftshelfServices ??= { ready: startWithApps(), users: 0 };
  const shared = run.draftshelfServices;
  shared.users += 1;
  const services = await shared.ready;
  project.provide('services', {
    postgresUrl: services.postgresUrl,
    templateDatabase,
    s3: services.s3,
  });
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    run.draftshelfServices = undefined;
    await services.stop();
  };
}

async function startWithApps(): Promise<RunningServices> {
  const compiled = compileApps(fileURLToPath(ownRoot));
  const services = await startMigrated();
  await compiled.catch(async (error) => {
    await services.stop();
    throw error;
  });
  return services;
}

/** Services with the template database, for tests that start no processes. */
export async function startMigrated(): Promise<RunningServices & Pick<TestServices, 'templateDatabase'>> {
  const services = (await startContainers()) ?? (await startEmbedded());
  try {
    await makeTemplate(services.postgresUrl);
  } catch (error) {
    await services.stop();
    throw error;
  }
  return { ...services, templateDatabase };
}

async function startContainers(): Promise<RunningServices | undefined> {
  if (process.env.TEST_SERVICES !== 'containers') return undefined;
  const { startContainerServices } = await import('./container-services.ts');
  return startContainerServices();
}

/** Postgres and the S3 server of `npm start`, in temporary directories. */
async function startEmbedded(): Promise<RunningServices> {
  const postgresDir = await mkdtemp(await memoryDirFor(''));
  const s3Dir = await mkdtemp(join(tmpdir(), `${dirPrefix}${process.pid}-`));
  const [postgres, s3] = await Promise.all([
    startPostgres({ dir: join(postgresDir, 'postgres'), givesWay: false }),
    startS3({ dir: join(s3Dir, 's3'), port: 0 }),
  ]);
  return {
    postgresUrl: postgres.url,
    s3: { endpoint: s3.endpoint, accessKey: s3.accessKey, secretKey: s3.secretKey, region: s3.region },
    stop: async () => {
      await Promise.all([s3.stop(), postgres.stop()]);
      await Promise.all([postgresDir, s3Dir].map((dir) => rm(dir, { recursive: true, force: true })));
    },
  };
}

/** The prefix of a directory of this process, in memory where there is enough. */
export async function memoryDirFor(name: string): Promise<string> {
  return join(await memoryParent(), `${dirPrefix}${process.pid}-${name}`);
}

async function memoryParent(): Promise<string> {
  const shared = await statfs(memoryDir).catch(() => undefined);
  const isLarge = shared !== undefined && shared.bavail * shared.bsize >= memoryBytesMin;
  if (!isLarge || process.availableMemory() < memoryBytesMin) return tmpdir();
  // What a run that was killed has left would occupy memory.
  const names = (await readdir(memoryDir)).filter((name) => name.startsWith(dirPrefix));
  const left = names.filter((name) => !readProcess(Number.parseInt(name.slice(dirPrefix.length), 10)));
  await Promise.all(left.map((name) => rm(join(memoryDir, name), { recursive: true, force: true })));
  return memoryDir;
}

async function makeTemplate(postgresUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: postgresUrl });
  await admin.connect();
  for (const setting of hastySettings) await admin.query(`alter system set ${setting} = off`);
  await admin.query('select pg_reload_conf()');
  // A log-in costs both sides some thousand hashes by default, and tests log in thousands of times.
  await admin.query('set scram_iterations = 1');
  const password = pg.escapeLiteral(decodeURIComponent(new URL(postgresUrl).password));
  await admin.query(`alter role current_user password ${password}`);
  // The command line of Postgres sets it, which only a role's setting replaces.
  await admin.query('alter role current_user set wal_compression = off');
  await admin.query(`create database ${templateDatabase}`);
  await admin.end();
  const url = new URL(postgresUrl);
  url.pathname = `/${templateDatabase}`;
  const template = openDatabase({
    connectionString: url.href,
    applicationName: 'draftshelf-template',
    poolMax: 1,
  });
  try {
    await migrate(template);
  } finally {
    await template.close();
  }
  // BullMQ's tables: else the first process on each copy would make them.
  const queue = createQueue({ backend: 'postgres', connectionString: url.href }, 'parse');
  await queue.waitUntilReady().finally(() => queue.close());
}
