import { mkdir, mkdtemp, open, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { checkBackup } from '@draftshelf/backup/check-backup';
import { isCompleteBackup, readManifest } from '@draftshelf/backup/manifest';
import { checkFile } from '@draftshelf/backup/stored-files';
import { openDatabase } from '@draftshelf/core/connection/database';
import { listCopiedTables } from '@draftshelf/core/operate/backup/copied-tables';
import { checksumTable } from '@draftshelf/core/operate/backup/copy-table';
import { dropScratchDatabase, withScratchDatabase } from '@draftshelf/core/operate/backup/scratch-database';
import { countOpenChunks } from '@draftshelf/core/operate/conditions/stored-metrics';
import { list, openObject } from '@draftshelf/object-storage/objects';
import { putStream } from '@draftshelf/object-storage/put-stream';
import { createLogger } from '@draftshelf/runtime/logger';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { backUpIfDue } from '../../../apps/keeper/src/back-up.ts';
import { createKeeperTasks } from '../../../apps/keeper/src/tasks.ts';
import { startApp } from '../../support/app-process.ts';
import { workOn } from '../../support/empty-installation.ts';
import {
  type Fixture,
  fixtureEnv,
  lockWaiters,
  productCsv,
  storedImport,
  until,
} from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { makeSmallDisk } from '../../support/small-disk.ts';
import { loseTasks, quietRunner } from '../../support/tasks.ts';
import { test } from '../../support/test.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'draftshelf-keeper-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
const folder = (name: string) => path.join(root, name);

test.beforeEach(({ fixture }) =>
  fixture.database.pool.query('truncate imports, scanned_products, backups cascade'),
);

const photoIds = Array.from({ length: 6 }, (_, at) => `5ad07f0e-2f0c-4d0f-8d0c-0d7f3c1c9a${at}0`);

/** An import of last month, and a product with photos. */
async function fill(fixture: Fixture): Promise<void> {
  await storedImport(fixture, { csv: productCsv(3) });
  await fixture.database.pool.query(
    `update imports set created_at = now() - interval '30 days', status = 'completed'`,
  );
  for (const id of photoIds) {
    const content = Readable.from([Buffer.alloc(50_000, id)]);
    await putStream(fixture.storage, `photos/${id}`, content, { contentType: 'image/jpeg' });
  }
  await fixture.database.pool.query(
    `insert into scanned_products (id, name, price, sku, dimensions, weight, photos) values ($1, 'a', '1', 'S', '{}', '{}', $2)`,
    [photoIds[0], photoIds.map((id) => `/api/photos/${id}`)],
  );
}

/** Makes a backup as in the night `ago` days before today. Returns its folder; undefined: none was made. */
async function night(
  fixture: Fixture,
  directory: string,
  ago: number,
  keep = 14,
): Promise<string | undefined> {
  const now = new Date();
  now.setDate(now.getDate() - ago);
  now.setHours(3, 20, 0, 0);
  const before = await foldersOf(directory);
  await backUpIfDue({ ...workOn(fixture), directory, at: '03:15', keep, lock: async () => {}, now });
  const [made] = (await foldersOf(directory)).filter((name) => !before.includes(name));
  if (made === undefined) return undefined;
  await fixture.database.pool.query('update backups set taken_at = $1 where directory = $2', [
    now,
    path.join(directory, made),
  ]);
  return path.join(directory, made);
}

const foldersOf = (directory: string) => readdir(directory).catch((): string[] => []);

async function check(fixture: Fixture, directory: string) {
  return checkBackup(directory, {
    ...{ database: fixture.database, databaseUrl: fixture.databaseUrl, signal: new AbortController().signal },
    openObject: (key) => openObject(fixture.storage, key),
  });
}

/** The sums of all tables, and all objects. */
async function stateOf({ database, storage }: Fixture): Promise<unknown> {
  const sums: Record<string, string> = {};
  for (const table of await listCopiedTables(database.db))
    sums[table.name] = await checksumTable(database.db, table);
  const objects = [];
  for await (const { key, bytes } of list(storage, '')) objects.push([key, bytes]);
  return { sums, objects };
}

async function scratchDatabases({ database }: Fixture): Promise<string[]> {
  const { rows } = await database.pool.query(
    `select datname from pg_database where datname like 'draftshelf_check%'
       and shobj_description(oid, 'pg_database') like '%' || current_database() || '%'`,
  );
  return rows.map(({ datname }) => datname);
}

async function flipBit(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, 40);
  await handle.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, 40);
  await handle.close();
}

/** So many that weekly ones are kept, too. */
const nights = isLong ? 20 : 2;

test.runIf(isLong)(
  'nights with pictures take the space of one, and each can be restored by itself',
  async ({ fixture }) => {
    await fill(fixture);
    const directory = folder('nights');
    for (let ago = nights; ago > 0; ago -= 1) expect(await night(fixture, directory, ago)).toBeDefined();
    expect(await night(fixture, directory, 1)).toBeUndefined();
    const kept = (await foldersOf(directory)).toSorted();
    const dayOf = (name: string) => new Date(name.slice(0, 10)).getUTCDay();
    expect(kept.slice(0, -14).filter((name) => dayOf(name) !== 0)).toEqual([]);
    const inodes = new Set<number>();
    for (const name of kept) {
      const { objects } = await readManifest(path.join(directory, name));
      expect(objects).toHaveLength(photoIds.length + 1);
      for (const { file } of objects) inodes.add((await stat(path.join(directory, name, file.path))).ino);
    }
    expect(inodes.size).toBe(photoIds.length + 1);
    const [newest = ''] = kept.slice(-1);
    for (const name of kept.slice(0, -1)) await rm(path.join(directory, name), { recursive: true });
    const { objects } = await readManifest(path.join(directory, newest));
    const signal = new AbortController().signal;
    for (const { file } of objects) await checkFile(path.join(directory, newest), file, signal);
  },
);

test('the check finds a flipped bit in a table, in an object and in the storage, and changes nothing', async ({
  fixture,
}) => {
  await fill(fixture);
  const made = (await night(fixture, folder('flips'), 1)) ?? '';
  const { tables, objects } = await readManifest(made);
  const before = await stateOf(fixture);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  expect(await check(fixture, made)).toMatchObject({
    ...{ tables: tables.length, rows, objects: objects.length, count: 0, differences: [] },
  });
  expect([await stateOf(fixture), await scratchDatabases(fixture)]).toEqual([before, []]);

  const table = path.join(made, 'tables/scanned_products.copy.zst');
  await flipBit(table);
  expect((await check(fixture, made)).differences).toEqual([
    expect.stringContaining('scanned_products.copy.zst'),
  ]);
  await flipBit(table);
  await flipBit(path.join(made, objects[0]?.file.path ?? ''));
  const key = `photos/${photoIds[2]}`;
  const content = Buffer.alloc(50_000, photoIds[2]);
  content[7] = (content[7] ?? 0) ^ 1;
  await putStream(fixture.storage, key, Readable.from([content]), { contentType: 'image/jpeg' });
  // What the backup says of its moment.
  const manifest = await readManifest(made);
  const changed = manifest.tables.map((one) => (one.name === 'imports' ? { ...one, sum: '1' } : one));
  await writeFile(
    path.join(made, 'manifest.json'),
    JSON.stringify({ format: 1, ...manifest, tables: changed }),
  );
  expect((await check(fixture, made)).differences).toEqual([
    expect.stringContaining(objects[0]?.file.path ?? ''),
    `${key} in the object storage differs from its copy in the backup.`,
    'The restored rows of the table imports differ from the rows that were backed up.',
  ]);
  expect(await scratchDatabases(fixture)).toEqual([]);
});

test('a scratch database is never the live one, and nothing else is dropped', async ({ fixture }) => {
  const { database, databaseUrl } = fixture;
  const live = new URL(databaseUrl).pathname.slice(1);
  for (const name of [
    live,
    'postgres',
    'draftshelf_check_',
    'draftshelf_check_abcdefghijkl; x',
    `${live}_check`,
  ]) {
    await expect(dropScratchDatabase(database.db, name), name).rejects.toThrow('is not dropped');
  }
  // An address whose options lead elsewhere.
  const elsewhere = `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}database=${live}`;
  let reached = '';
  await withScratchDatabase(database, elsewhere, async (scratch) => {
    const { rows } = await scratch.pool.query('select current_database() as name');
    reached = rows[0].name;
  }).catch((error: Error) => {
    expect(error.message).toContain('of the scratch database opens');
  });
  expect(reached).not.toBe(live);
  // What a killed check has left goes, that of another installation stays.
  const [own, others] = ['draftshelf_check_aaaaaaaaaaaa', 'draftshelf_check_bbbbbbbbbbbb'];
  for (const [name, of] of [
    [own, live],
    [others, 'another'],
  ]) {
    await database.pool.query(`create database ${name}`);
    await database.pool.query(`comment on database ${name} is 'A backup of ${of} is tried here.'`);
  }
  onTestFinished(() => dropScratchDatabase(database.db, others ?? ''));
  await withScratchDatabase(database, databaseUrl, async () => {});
  const { rows } = await database.pool.query('select datname from pg_database where datname = any($1)', [
    [own, others],
  ]);
  expect(rows).toEqual([{ datname: others }]);
});

test('a role that may not create databases leaves the check untried, with a sentence', async ({
  fixture,
}) => {
  await fill(fixture);
  const made = (await night(fixture, folder('rights'), 1)) ?? '';
  const role = `keeper_${Date.now()}`;
  const { pool } = fixture.database;
  await pool.query(`create role ${role} login password 'x'; grant pg_read_all_data to ${role}`);
  const url = new URL(fixture.databaseUrl);
  [url.username, url.password] = [role, 'x'];
  const database = openDatabase({ connectionString: url.href, applicationName: 'test' });
  onTestFinished(async () => {
    await database.close();
    await pool.query(`drop owned by ${role}; drop role ${role}`);
  });
  const result = await check({ ...fixture, database, databaseUrl: url.href }, made);
  expect(result).toMatchObject({ count: 0, problem: expect.stringContaining('may not create databases') });
});

test('a full disk, a killed run and wrong keys leave the newest good backup', async ({ fixture }) => {
  await fill(fixture);
  const directory = folder('failures');
  const good = (await night(fixture, directory, 3)) ?? '';
  // A run that was killed has no manifest, and is removed by the next one.
  const killed = path.join(directory, '2020-01-01T0315');
  await mkdir(path.join(killed, 'tables'), { recursive: true });
  const wrong = { ...fixture, storage: { ...fixture.storage, bucket: 'not-there' } };
  await expect(night(wrong, directory, 2)).rejects.toThrow('The object storage has no bucket');
  expect((await foldersOf(directory)).map((name) => path.join(directory, name))).toEqual([good]);
  const second = (await night(fixture, directory, 1)) ?? '';
  expect(isCompleteBackup(second)).toBe(true);

  const disk = await makeSmallDisk();
  if (!disk) return;
  onTestFinished(() => disk.remove());
  const onDisk = path.join(disk.dir, 'backups');
  const first = (await night(fixture, onDisk, 3)) ?? '';
  expect(isCompleteBackup(first)).toBe(true);
  const { bavail, bsize } = await statfs(disk.dir);
  await writeFile(path.join(disk.dir, 'ballast'), Buffer.alloc((bavail - 4) * bsize));
  // The disk fills while it is made, and then is full before it is begun.
  await expect(night(fixture, onDisk, 2)).rejects.toThrow(`The disk of ${onDisk} is full`);
  await writeFile(path.join(disk.dir, 'rest'), Buffer.alloc(4 * bsize)).catch(() => {});
  await expect(night(fixture, onDisk, 2)).rejects.toThrow(
    /MB left, and a backup needs \d+ MB\. The ones before/,
  );
  expect(await foldersOf(onDisk)).toEqual([path.basename(first)]);
});

/** A keeper in this process. */
function keeperOf({ database, storage, databaseUrl }: Fixture, directory: string) {
  const logger = createLogger({ name: 'keeper', level: 'silent', pretty: false });
  const env = { DATABASE_URL: databaseUrl, BACKUP_DIR: directory, BACKUP_AT: '03:15', BACKUP_KEEP: 14 };
  return quietRunner({ handlers: createKeeperTasks({ database, storage, env, logger }), database });
}

test.runIf(isLong)('two keepers make one backup and try it once', async ({ fixture }) => {
  await fill(fixture);
  const { pool } = fixture.database;
  const directory = folder('two');
  const keepers = [1, 2].map(() => keeperOf(fixture, directory));
  await Promise.all(keepers.map((keeper) => keeper.runDue()));
  await pool.query(`update chunks set not_before = now() where task = 'check-backup'`);
  await Promise.all(keepers.map((keeper) => keeper.runDue()));
  const { rows } = await pool.query(`select directory, check_result->>'count' as count from backups`);
  expect(rows).toEqual([{ directory: expect.stringContaining(directory), count: '0' }]);
  expect(await foldersOf(directory)).toHaveLength(1);
});

test('a keeper that is killed in the middle leaves nothing that counts, and the next one makes the backup', async ({
  fixture,
}) => {
  await fill(fixture);
  const directory = folder('killed');
  const env = { ...fixtureEnv(fixture), BACKUP_DIR: directory };
  const manifests = async () => {
    const names = await foldersOf(directory);
    return names.filter((name) => isCompleteBackup(path.join(directory, name))).length;
  };
  // A table that somebody has locked: the backup waits for it in the middle.
  const holder = await fixture.database.pool.connect();
  await holder.query('set idle_in_transaction_session_timeout = 0');
  await holder.query('begin; lock table settings in access exclusive mode');
  const first = await startApp('keeper', env);
  await until('the backup waits', async () => (await lockWaiters(fixture)) > 0);
  first.kill('SIGKILL');
  await first.ended;
  holder.release(true);
  expect([(await foldersOf(directory)).length, await manifests()]).toEqual([1, 0]);
  const { pool } = fixture.database;
  // What it had sent, such as another claim, still runs.
  await until('Postgres has ended the connections of the killed one', async () => {
    const { rows } = await pool.query(
      `select from pg_stat_activity
       where datname = current_database() and application_name = 'draftshelf-keeper'`,
    );
    return rows.length === 0;
  });
  await loseTasks({ pool });
  await keeperOf(fixture, directory).runDue();
  expect([(await foldersOf(directory)).length, await manifests()]).toEqual([1, 1]);
});

test('what scales workers reads the backlog from a view, and nothing else', async ({ fixture }) => {
  const { pool, db } = fixture.database;
  await storedImport(fixture, { csv: productCsv(3) });
  const open = (await countOpenChunks(db)).filter(
    ({ kind, state }) => kind !== 'task' && ['pending', 'published'].includes(state),
  );
  const expected = open
    .filter(({ count }) => count > 0)
    .map(({ stage, count }) => ({ stage, chunks: count }));
  expect(expected.length).toBeGreaterThan(0);
  const role = `scaler_${Date.now()}`;
  await pool.query(`create role ${role} login password 'x'; grant select on stage_backlog to ${role}`);
  const url = new URL(fixture.databaseUrl);
  [url.username, url.password] = [role, 'x'];
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await pool.query(`drop owned by ${role}; drop role ${role}`);
  });
  const { rows } = await client.query('select stage, chunks from stage_backlog where chunks > 0');
  expect(rows).toEqual(expected);
  await expect(client.query('select from imports')).rejects.toThrow('permission denied');
  await pool.query(`update imports set status = 'paused'`);
  expect((await client.query('select * from stage_backlog where chunks > 0')).rows).toEqual([]);
});
