import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@draftshelf/core/connection/database';
import { migrate } from '@draftshelf/core/migrations/migrate';
import { appliedMigrations, ownMigrations } from '@draftshelf/core/migrations/schema-gate';
import { reportThisProcess } from '@draftshelf/core/work/report-process';
import { waitForSchema } from '@draftshelf/core/work/wait-for-schema';
import { expect, onTestFinished } from 'vitest';
import { openEmptyInstallation } from '../../support/empty-installation.ts';
import { fixtureEnv, until } from '../../support/fixture.ts';
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
  await database.pool.query(
    `insert into kysely_migration (name, timestamp) values ($1, '2100-01-01T00:00:00Z')`,
    [last],
  );
  await waiting;
  expect(said).toEqual([sentence]);
  expect(await listed()).toEqual([]);
});

test('a schema of a newer version is refused with a sentence, and one of a version before the oldest, too', async ({
  fixture,
}) => {
  const { database } = fixture;
  await database.pool.query(
    `insert into kysely_migration (name, timestamp) values ('9998-more', '2100-01-01T00:00:00Z')`,
  );
  const said: string[] = [];
  const waiting = waitForSchema(database, self, (sentence) => said.push(sentence));
  await until('it says so', () => said.length > 0);
  expect(said).toEqual(['A newer version has migrated this database (9998-more). Start that version.']);
  await expect(migrate(database)).rejects.toThrow('(9998-more). Start that version.');
  await database.pool.query(`delete from kysely_migration where name = '9998-more'`);
  await waiting;
  const old = await openEmptyInstallation();
  onTestFinished(old.close);
  await old.database.pool.query(
    `create table kysely_migration as select '0001-start' as name, '2100-01-01T00:00:00Z' as timestamp`,
  );
  await expect(migrate(old.database)).rejects.toThrow('Nothing was changed. Start version 0.11 on it once');
  expect(await appliedMigrations(old.database.db)).toEqual(['0001-start']);
});

test('a process ends when another version has migrated the database', async ({ fixture }) => {
  const { database } = fixture;
  const said = Promise.withResolvers<string>();
  const reported = await reportThisProcess(database.db, {
    ...{ ...self, slots: 1, waiting_for: null },
    onProblem: (error) => said.reject(error),
    onOtherSchema: said.resolve,
  });
  await database.pool.query(
    `insert into kysely_migration (name, timestamp) values ('9998-more', '2100-01-01T00:00:00Z')`,
  );
  expect(await said.promise).toContain('A newer version has migrated this database');
  await reported.stop();
  await database.pool.query(`delete from kysely_migration where name = '9998-more'`);
});

test('a migration waits until the processes that work have stopped, and names them', async ({ fixture }) => {
  const { pool } = fixture.database;
  await pool.query('delete from kysely_migration where name = $1', [last]);
  await pool.query(
    `insert into processes (id, kind, version, host, pid, slots, waiting_for)
     values (gen_random_uuid(), 'push-worker', '0.11.0', 'old', 7, 1, null),
       (gen_random_uuid(), 'api', '0.12.0', 'new', 8, 0, 'Waits until the schema is migrated.')`,
  );
  const main = fileURLToPath(import.meta.resolve('@draftshelf/queues/migrate-main'));
  const migration = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, DATABASE_URL: fixture.databaseUrl },
  });
  let output = '';
  for (const stream of [migration.stdout, migration.stderr])
    stream.on('data', (piece) => {
      output += piece;
    });
  const sentence =
    'The database is migrated when these processes have stopped: push-worker 0.11.0 (old, process 7).';
  await until('it says so', () => output.includes(sentence));
  // What it would do is done already.
  await pool.query(`insert into kysely_migration (name, timestamp) values ($1, '2100-01-01T00:00:00Z')`, [
    last,
  ]);
  await pool.query('delete from processes');
  await once(migration, 'exit');
  expect([migration.exitCode, output]).toEqual([0, `${sentence}\nThe schema is up to date.\n`]);
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
      'DATABASE_URL asks for TLS, which Postgres doesn’t offer. Check sslmode in DATABASE_URL.',
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

test.runIf(isLong)('a database that nobody gets into is said in a sentence', async ({ fixture }) => {
  const mains = ['@draftshelf/queues/migrate-main', '@draftshelf/backup/backup-main'];
  const [migrateMain = '', backupMain = ''] = mains.map((name) => fileURLToPath(import.meta.resolve(name)));
  const tried = closed(fixture.databaseUrl).filter((_, at) => isLong || at === 1);
  for (const [databaseUrl, sentence] of tried) {
    const printed = await errorsOf(migrateMain, [], { DATABASE_URL: databaseUrl });
    expect(printed).toContain(sentence);
    expect(printed).toBe(printed.split('\n')[0]);
    expect(printed).not.toContain('wrong-secret');
  }
  if (!isLong) return;
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
