import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@draftshelf/database/connect';
import { migrate } from '@draftshelf/database/migrate';
import { startPostgres } from '@draftshelf/infra/embedded-postgres';
import { startS3 } from '@draftshelf/infra/s3-server';
import pg from 'pg';
import type { TestProject } from 'vitest/node';

/** What the tests are told of the services; fixtures.ts makes databases and buckets of it. */
export type TestServices = {
  /** A superuser's connection string, to the maintenance database. */
  postgresUrl: string;
  /** A migrated database that nobody is connected to, for `create database … template …`. */
  templateDatabase: string;
  s3: { endpoint: string; accessKey: string; secretKey: string; region: string };
};

declare module 'vitest' {
  interface ProvidedContext {
    services: TestServices;
  }
}

const templateDatabase = 'draftshelf_template';

/** vitest's global set-up: one Postgres and one S3 server for all test files, in a directory of their own. */
export default async function startServices(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'draftshelf-tests-'));
  const [postgres, s3] = await Promise.all([
    startPostgres({ dir: join(dir, 'postgres') }),
    startS3({ dir: join(dir, 's3'), port: 0 }),
  ]);
  const stop = async () => {
    await Promise.all([s3.stop(), postgres.stop()]);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await makeTemplate(postgres.url);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('services', {
    postgresUrl: postgres.url,
    templateDatabase,
    s3: { endpoint: s3.endpoint, accessKey: s3.accessKey, secretKey: s3.secretKey, region: s3.region },
  });
  return stop;
}

async function makeTemplate(postgresUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: postgresUrl });
  await admin.connect();
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
}
