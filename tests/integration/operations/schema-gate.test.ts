import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@draftshelf/database/connection/database';
import { migrate } from '@draftshelf/database/migrations/migrate';
import { appliedMigrations, ownMigrations } from '@draftshelf/database/migrations/schema-gate';
import { waitForSchema } from '@draftshelf/database/work/wait-for-schema';
import { expect, onTestFinished } from 'vitest';
import { openEmptyInstallation } from '../../support/empty-installation.ts';
import { fixtureEnv, lockWaiters, until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { test } from '../../support/test.ts';

const self = { kind: 'parse-worker', version: '0.0.1' } as const;
const last = ownMigrations().at(-1) ?? '';

test('a process waits until its migrations are applied, and says so', async ({ fixture, api }) => {
  const { database } = fixture;
  await database.pool.query('delete from kysely_migration where name = $1', [last]);
  const said: string[] = [];
  let isReady = false;
  const waiting = waitForSchema(database, self, (sentence) => said.push(sentence)).then(() => {
    isReady = true;
  });
  const sentence = `Waits until the schema is migrated: ${last}.`;
  type Info = { processes: { kind: string; slots: number; waitingFor: string | null }[] };
  const listed = async () => ((await api.call('GET', '/api/system/info')).body as Info).processes;
  await until('it is listed', async () => (await listed()).length === 1);
  expect(await listed()).toMatchObject([{ kind: 'parse-worker', slots: 0, waitingFor: sentence }]);
  expect([said, isReady]).toEqual([[sentence], false]);
  await database.pool.query(`insert into kysely_migration (name, timestamp) values ($1, 'now')`, [last]);
  await waiting;
  expect(said).toEqual([sentence]);
  expect(await listed()).toEqual([]);
});

test('a newer schema is accepted and not migrated, until it removes something', async ({ fixture }) => {
  const { database } = fixture;
  const apply = (name: string) =>
    database.pool.query(`insert into kysely_migration (name, timestamp) values ($1, 'now')`, [name]);
  await apply('9998-more');
  await waitForSchema(database, self, () => expect.unreachable());
  expect(await migrate(database)).toEqual([]);
  expect(await appliedMigrations(database.db)).toContain('9998-more');

  await apply('9999-contract-names');
  const said: string[] = [];
  const waiting = waitForSchema(database, self, (sentence) => said.push(sentence));
  await until('it says so', () => said.length > 0);
  expect(said).toEqual([expect.stringContaining('A newer version has removed parts of the schema')]);
  await database.pool.query(`delete from kysely_migration where name like '999%'`);
  await waiting;
});

test('a schema that a newer version has migrated in part is refused with a sentence', async ({ fixture }) => {
  const { database } = fixture;
  await database.pool.query(`update kysely_migration set name = '9998-more' where name = $1`, [last]);
  await expect(migrate(database)).rejects.toThrow(`(9998-more), but not ${last}.`);
  await database.pool.query(`update kysely_migration set name = $1 where name = '9998-more'`, [last]);
});

test('a migration that meets a lock is tried again', async () => {
  const fixture = await openEmptyInstallation();
  const limited = openDatabase({
    ...{ connectionString: fixture.databaseUrl, applicationName: 'draftshelf-migrate', lockMsMax: 100 },
  });
  try {
    // The next one changes this table.
    await migrate(fixture.database, '0039-dead-work');
    const holder = await fixture.database.pool.connect();
    const waiters = async () => (await lockWaiters(fixture)) > 0;
    await holder.query('begin; lock table listings in access exclusive mode');
    const migrated = migrate(limited);
    await until('it has met the lock', waiters);
    await until('it has given way', async () => !(await waiters()));
    await holder.query('rollback');
    holder.release();
    expect(await migrated).toContain('0040-audits');
    expect(await appliedMigrations(fixture.database.db)).toEqual(ownMigrations());
  } finally {
    await limited.close();
    await fixture.close();
  }
});

test.runIf(isLong)('a migration that ends a deadlock is tried again', async () => {
  const fixture = await openEmptyInstallation();
  try {
    // The next one locks lines of plans, then states.
    await migrate(fixture.database, '0044-earlier-file-and-disk');
    const holder = await fixture.database.pool.connect();
    await holder.query('begin; lock table pushed_states in access exclusive mode');
    const migrated = migrate(fixture.database);
    await until('it waits', async () => (await lockWaiters(fixture)) > 0);
    // The first to wait is the one that Postgres ends.
    await holder.query('lock table plan_lines in access exclusive mode');
    await holder.query('rollback');
    holder.release();
    expect(await migrated).toContain('0045-plan-pages');
  } finally {
    await fixture.close();
  }
});

/** Addresses of a database that nobody gets into, and what is said about each. */
const closed = (url: string): [string, string][] => {
  const changed = (change: (url: URL) => void) => {
    const copy = new URL(url);
    change(copy);
    return copy.href;
  };
  return [
    [
      changed((one) => Object.assign(one, { password: 'wrong-secret' })),
      'Postgres refuses the user or the password of DATABASE_URL. (28P01)',
    ],
    [
      changed((one) => Object.assign(one, { pathname: '/nowhere' })),
      'The database that DATABASE_URL names doesn’t exist. Create it, or correct its name. (3D000)',
    ],
    [
      changed((one) => Object.assign(one, { hostname: 'db.invalid' })),
      'The host of DATABASE_URL is not found. Check its name. (',
    ],
    [
      changed((one) => Object.assign(one, { host: '127.0.0.1:1' })),
      'Nothing listens at the host and port of DATABASE_URL. Check both, and that Postgres is running. (ECONNREFUSED)',
    ],
    [
      changed((one) => one.searchParams.set('sslmode', 'verify-full')),
      'DATABASE_URL asks for TLS, which Postgres doesn’t offer. Check its sslmode.',
    ],
  ];
};

/** What a program prints before it ends with code 1. */
const errorsOf = (main: string, args: string[], env: Record<string, string>) =>
  new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { env: { PATH: process.env.PATH, ...env } },
      (error, _, text) => {
        expect(error?.code).toBe(1);
        resolve(text.trim());
      },
    );
  });

test('a database that nobody gets into is said in a sentence', async ({ fixture }) => {
  const mains = ['@draftshelf/queues/migrate-main', '@draftshelf/backup/backup-main'];
  const [migrateMain = '', backupMain = ''] = mains.map((name) => fileURLToPath(import.meta.resolve(name)));
  for (const [databaseUrl, sentence] of closed(fixture.databaseUrl)) {
    const printed = await errorsOf(migrateMain, [], { DATABASE_URL: databaseUrl });
    expect(printed).toContain(sentence);
    expect(printed).toBe(printed.split('\n')[0]);
    expect(printed).not.toContain('wrong-secret');
  }
  const [[databaseUrl = '', sentence = ''] = []] = closed(fixture.databaseUrl);
  const env = { ...fixtureEnv(fixture), DATABASE_URL: databaseUrl };
  expect(await errorsOf(backupMain, ['/tmp/never-made'], env)).toBe(sentence);
});

test('a process waits for a database that does not let it in yet, and says why', async ({ fixture }) => {
  const address = Object.assign(new URL(fixture.databaseUrl), { username: 'late_app', password: 'secret' });
  const database = openDatabase({ connectionString: address.href, applicationName: 'draftshelf-api' });
  onTestFinished(() => database.close());
  const said: string[] = [];
  const waiting = waitForSchema(database, self, (sentence) => said.push(sentence));
  await until('it says so', () => said.length > 0);
  expect(said[0]).toBe(
    'Waits for the database. Postgres refuses the user or the password of DATABASE_URL. (28P01)',
  );
  const { pool } = fixture.database;
  await pool.query(`create role late_app login superuser password 'secret'`);
  onTestFinished(async () => {
    await pool.query('drop role late_app');
  });
  await waiting;
});
