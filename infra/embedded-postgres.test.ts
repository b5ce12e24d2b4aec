import { chmod, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { checkPostgres, type RunningPostgres, startPostgres } from './embedded-postgres.ts';
import { niceness } from './give-way.ts';

let dir: string;
let postgres: RunningPostgres;
const quiet = { log: undefined, report: () => {} };
/** Further clusters are only in the long form: making one takes seconds of processor time. */
const isLong = process.env.TEST_LONG === '1';

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'draftshelf-postgres-'));
  postgres = await startPostgres({ dir, observer: quiet });
}, 60_000);

afterAll(async () => {
  await postgres.stop();
  await rm(dir, { recursive: true });
}, 60_000);

async function query(sql: string, url = postgres.url): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('it runs durably, in UTF-8 and UTC, with the extensions that search needs', async () => {
  const settings = `select current_setting('fsync') as fsync, current_setting('server_encoding') as encoding,
    current_setting('TimeZone') as zone, current_setting('synchronous_commit') as commit`;
  expect(await query(settings)).toEqual([{ fsync: 'on', encoding: 'UTF8', zone: 'UTC', commit: 'on' }]);
  await query('create extension pg_trgm');
  expect(await query(`select 'Ä' ilike 'ä' as same`)).toEqual([{ same: true }]);
});

test('it gives way to the api, and so do the processes of its connections', () => {
  expect(getPriority(postgres.pid())).toBe(niceness);
});

test('a connection without the password is refused', async () => {
  const url = new URL(postgres.url);
  url.password = 'guess';
  await expect(query('select 1', url.href)).rejects.toThrow('password authentication failed');
});

test('acknowledged writes survive kill -9 and an automatic restart, at the same address', async () => {
  await query('create table kept (n int)');
  await query('insert into kept values (7)');
  const killed = postgres.pid() ?? 0;
  process.kill(killed, 'SIGKILL');
  const read = () => query('select n from kept').catch(() => 'not yet');
  await expect.poll(read, { timeout: 20_000 }).toEqual([{ n: 7 }]);
  expect(postgres.pid()).not.toBe(killed);
});

test('it continues after a stop, with the same password', async () => {
  await postgres.stop();
  const password = new URL(postgres.url).password;
  postgres = await startPostgres({ dir, observer: quiet });
  expect(new URL(postgres.url).password).toBe(password);
  expect(await query('select n from kept')).toEqual([{ n: 7 }]);
});

test('a missing password is set again, and no data is lost', async () => {
  await postgres.stop();
  const { password } = new URL(postgres.url);
  await rm(path.join(dir, 'password'));
  const reports: string[] = [];
  postgres = await startPostgres({ dir, observer: { ...quiet, report: (words) => reports.push(words) } });
  expect(new URL(postgres.url).password).not.toBe(password);
  expect(await query('select n from kept')).toEqual([{ n: 7 }]);
  expect(reports).toEqual([expect.stringContaining('has got a new password')]);
});

test('a password that cannot be set is not shown', async () => {
  const other = await mkdtemp(path.join(tmpdir(), 'draftshelf-postgres-'));
  onTestFinished(() => rm(other, { recursive: true }));
  const first = await startPostgres({ dir: other, observer: quiet });
  const url = new URL(first.url);
  await query(`create role another superuser login password '${url.password}'`, url.href);
  url.username = 'another';
  await query('alter role draftshelf rename to renamed', url.href);
  await first.stop();
  await rm(path.join(other, 'password'));
  const failed = await startPostgres({ dir: other, observer: quiet }).then(
    () => '',
    (error: Error) => error.message,
  );
  expect(failed).toContain('role "draftshelf" does not exist');
  const shown = failed.match(/password '[^']*'/g) ?? [];
  expect(shown.length).toBeGreaterThan(0);
  for (const one of shown) expect(one).toMatch(/^password 'SCRAM-SHA-256\$4096:/);
});

test.runIf(isLong)(
  'a first start that was killed before its last step is completed, and one killed earlier begins again',
  async () => {
    await postgres.stop();
    await rename(path.join(dir, 'cluster'), path.join(dir, 'cluster.unfinished'));
    postgres = await startPostgres({ dir, observer: quiet });
    expect(await query('select n from kept')).toEqual([{ n: 7 }]);

    const other = await mkdtemp(path.join(tmpdir(), 'draftshelf-postgres-'));
    await writeFile(path.join(other, 'cluster.unfinished'), 'half');
    const fresh = await startPostgres({ dir: other, observer: quiet });
    expect(await query('select 1 as one', fresh.url)).toEqual([{ one: 1 }]);
    await fresh.stop();
    await rm(other, { recursive: true });
  },
);

test('a missing cluster is not replaced by an empty one', async () => {
  await postgres.stop();
  const cluster = path.join(dir, 'cluster');
  await rename(cluster, path.join(dir, 'elsewhere'));
  await expect(startPostgres({ dir, observer: quiet })).rejects.toThrow(
    `The database ${cluster} is missing, but its password is there.`,
  );
  await expect(stat(cluster)).rejects.toThrow('ENOENT');
  await rename(path.join(dir, 'elsewhere'), cluster);
  postgres = await startPostgres({ dir, observer: quiet });
});

test('a cluster of another major version is explained, and one of this version passes', async () => {
  await checkPostgres(dir);
  const version = path.join(dir, 'cluster/PG_VERSION');
  const made = await readFile(version, 'utf8');
  await writeFile(version, '17\n');
  await expect(checkPostgres(dir)).rejects.toThrow(
    /was made by Postgres 17\. This version of Draftshelf has Postgres 18/,
  );
  await writeFile(version, made);
});

/** Docker forbids user namespaces by default, and its user is root. */
test.runIf(isLong && process.getuid?.() === 0)(
  'root without user namespaces starts it in a private directory',
  async () => {
    const parent = await mkdtemp(path.join(tmpdir(), 'draftshelf-root-'));
    const bin = await mkdtemp(path.join(tmpdir(), 'draftshelf-bin-'));
    onTestFinished(() =>
      Promise.all([parent, bin].map((made) => rm(made, { recursive: true }))).then(() => {}),
    );
    await writeFile(path.join(bin, 'unshare'), '#!/bin/sh\nexit 1\n');
    await chmod(path.join(bin, 'unshare'), 0o755);
    vi.stubEnv('PATH', `${bin}${path.delimiter}${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const data = path.join(parent, 'postgres');
    for (const expected of [[], [{ n: 1 }]]) {
      const running = await startPostgres({ dir: data, observer: quiet });
      await query('create table if not exists kept (n int)', running.url);
      expect(await query('select n from kept', running.url)).toEqual(expected);
      await query('insert into kept values (1)', running.url);
      await running.stop();
    }
    expect((await stat(parent)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(data, 'cluster'))).uid).toBe(65_534);
  },
  60_000,
);
