import { execFile, execFileSync } from 'node:child_process';
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { backUp } from '@draftshelf/backup/back-up';
import { backUpBeforeMigration } from '@draftshelf/backup/before-migration';
import type { Manifest } from '@draftshelf/backup/manifest';
import { BackupError } from '@draftshelf/backup/manifest';
import { restore } from '@draftshelf/backup/restore';
import { readCredential, shopifyService } from '@draftshelf/core/access/credentials';
import {
  deriveAllSealingKeys,
  deriveSealingKey,
  listKeyIds,
  parseSealingKey,
  parseWorkerKeys,
  seal,
} from '@draftshelf/core/access/sealing';
import { openDatabase } from '@draftshelf/core/connection/database';
import { grantToAppRole } from '@draftshelf/core/migrations/app-role';
import { migrate } from '@draftshelf/core/migrations/migrate';
import { appliedMigrations, ownMigrations } from '@draftshelf/core/migrations/schema-gate';
import { excludedTables, listTables } from '@draftshelf/core/operate/backup/copied-tables';
import { tableKey } from '@draftshelf/csv/object-keys';
import { getStream, list } from '@draftshelf/object-storage/objects';
import { putStream } from '@draftshelf/object-storage/put-stream';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { openEmptyInstallation, workOn } from '../../support/empty-installation.ts';
import { type Fixture, productCsv, storedImport } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { test } from '../../support/test.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'draftshelf-backup-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const folder = (name: string) => path.join(directory, name);
async function emptyInstallation(): Promise<Fixture> {
  const empty = await openEmptyInstallation();
  onTestFinished(empty.close);
  return empty;
}

/** All rows of the tables that are in a backup, as text, in an order that does not depend on the disk. */
async function contentOf({ database }: Fixture, { tables }: Manifest): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await database.pool.query(`select t::text as row from ${name} t order by 1`);
    content[name] = rows.map(({ row }) => row);
  }
  return content;
}

/** Indexes and constraints by name, with their definitions. */
async function definitionsOf({ database }: Fixture): Promise<unknown[]> {
  const { rows } = await database.pool.query(`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where connamespace = 'public'::regnamespace
    union all select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`);
  return rows;
}

async function objectsOf({ storage }: Fixture): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for await (const { key } of list(storage, '')) content[key] = await text(getStream(storage, key));
  return content;
}

const photo = '5ad07f0e-2f0c-4d0f-8d0c-0d7f3c1c9a11';
const key = parseSealingKey('ab'.repeat(32));

/** One row of many kinds: texts that COPY escapes, bytes, arrays, a sealed value, a photo. */
async function fill(fixture: Fixture): Promise<void> {
  const { pool } = fixture.database;
  await storedImport(fixture, { csv: productCsv(3) });
  const { id, object_key } = await storedImport(fixture, { csv: productCsv(2) });
  const table = { n: 1, name: 'Prices', kind: 'sheet', converter: 1 };
  await pool.query(
    `update runs set dialect = (dialect::jsonb || jsonb_build_object('table', $2::jsonb))::json where import_id = $1`,
    [id, JSON.stringify(table)],
  );
  await putStream(
    fixture.storage,
    tableKey(object_key, table),
    Readable.from([Buffer.from('Title,Price\n')]),
  );
  await putStream(fixture.storage, `photos/${photo}`, Readable.from([Buffer.from([255, 216, 0, 1])]), {
    contentType: 'image/jpeg',
  });
  await putStream(fixture.storage, 'photos/of-nobody', Readable.from([Buffer.from('x')]));
  await pool.query(
    `insert into scanned_products (id, name, price, sku, dimensions, weight, photos)
     values ($1, $2, '1', 'S', '{}', '{}', $3)`,
    [photo, 'tab\tline\nback\\slash \\N “ü” 😀', [`/api/photos/${photo}`, 'https://a.example/"x",y']],
  );
  await pool.query(
    `insert into images (url_hash, url, state) values ('\\x00ff5c', 'https://a.example', 'ok');
     insert into sessions (id, key_fingerprint, expires_at) values ('s', 'k', now());
     insert into store_syncs (shop) values ('a.example');
     insert into store_budgets (shop, available, maximum, restore_rate) values ('a.example', 1.1, 2, 3)`,
  );
  await pool.query(
    `insert into credentials (service, key_id, sealed, origin) values ('store', $1, '\\x01', 'operator')`,
    [key.id],
  );
  await pool.query(
    `update chunks set state = 'published', claims = 3, claim_pid = 7, claim_backend_start = now()`,
  );
}

/** The backup that the tests of a restore share, and what was said while it was made. */
let made: Promise<{ manifest: Manifest; said: string[] }> | undefined;
const whole = (fixture: Fixture) => {
  made ??= (async () => {
    await fill(fixture);
    const said: string[] = [];
    return { manifest: await backUp(folder('whole'), workOn(fixture, said)), said };
  })();
  return made;
};
/** A copy of it, which a test may damage. Returns its manifest. */
async function copied(fixture: Fixture, name: string): Promise<Manifest> {
  const { manifest } = await whole(fixture);
  await cp(folder('whole'), folder(name), { recursive: true });
  return manifest;
}

test('a restore brings back every row, object, index and constraint, and ends what was under way', async ({
  fixture,
}) => {
  const { manifest, said } = await whole(fixture);
  expect(said.at(-1)).toMatch(/^Copied 4 files \(/);
  expect(manifest.missing).toEqual([]);
  const { rows: recorded } = await fixture.database.pool.query('select directory from backups');
  expect(recorded).toEqual([{ directory: folder('whole') }]);
  expect((await stat(folder('whole'))).mode & 0o077).toBe(0);

  const restored = await emptyInstallation();
  await restore(folder('whole'), { ...workOn(restored), sealingKeys: [key.id] });

  const [before, after] = [await contentOf(fixture, manifest), await contentOf(restored, manifest)];
  const changed = ['backups', 'chunks', 'store_syncs'];
  for (const name of changed) {
    delete before[name];
    delete after[name];
  }
  expect(after).toEqual(before);
  expect(await definitionsOf(restored)).toEqual(await definitionsOf(fixture));
  expect(await appliedMigrations(restored.database.db)).toEqual(ownMigrations());
  const { 'photos/of-nobody': _, ...named } = await objectsOf(fixture);
  expect(await objectsOf(restored)).toEqual(named);
  expect(Object.keys(named)).toHaveLength(4);

  const { db } = restored.database;
  const chunks = await db
    .selectFrom('chunks')
    .select(['state', 'publication', 'claims', 'claim_pid'])
    .execute();
  const one = { state: 'pending', publication: 2, claims: 2, claim_pid: null };
  // One of each import.
  expect(chunks).toEqual([one, one]);
  const syncs = await db.selectFrom('store_syncs').select(['ended_at', 'error']).execute();
  expect(syncs).toEqual([{ ended_at: expect.any(Date), error: expect.stringContaining('restored') }]);
  for (const name of ['sessions', 'store_budgets', 'backups'] as const) {
    expect(await db.selectFrom(name).selectAll().execute()).toEqual([]);
  }
  const { rows } = await restored.database.pool.query(
    `insert into activity (type, message) values ('other', '') returning id`,
  );
  expect(rows[0].id).toBeGreaterThan(1_000_000);
});

test('each table is in the backup, or left out with a reason', async ({ fixture }) => {
  const { manifest } = await whole(fixture);
  const tables = manifest.tables.map(({ name }) => name);
  const all = (await listTables(fixture.database.db)).map(({ name }) => name);
  expect([...tables, ...Object.keys(excludedTables)].toSorted()).toEqual(all);
});

describe('a restore is refused', () => {
  const refusal = async (name: string, into: Fixture, sealingKeys = [key.id]) => {
    const refused: unknown = await restore(folder(name), { ...workOn(into), sealingKeys }).catch(
      (error) => error,
    );
    expect(refused).toBeInstanceOf(BackupError);
    return (refused as BackupError).message;
  };
  const changeManifest = async (name: string, change: (manifest: Manifest) => void) => {
    const file = path.join(folder(name), 'manifest.json');
    const manifest = JSON.parse(await readFile(file, 'utf8'));
    change(manifest);
    await writeFile(file, JSON.stringify(manifest));
  };

  test('if the database is not empty, and leaves it as it is', async ({ fixture }) => {
    await whole(fixture);
    const before = await appliedMigrations(fixture.database.db);
    expect(await refusal('whole', fixture)).toMatch(/^The database is not empty: it has \d+ tables\./);
    expect(await appliedMigrations(fixture.database.db)).toEqual(before);
  });

  test.runIf(isLong)(
    'if the sealing key does not fit, unless the operator does without',
    async ({ fixture }) => {
      await whole(fixture);
      const empty = await emptyInstallation();
      const other = parseSealingKey('cd'.repeat(32)).id;
      expect(await refusal('whole', empty, [other])).toContain(`sealed with another key (${key.id})`);
      await restore(folder('whole'), { ...workOn(empty), sealingKeys: null });
    },
  );

  test.runIf(isLong)(
    'not if its credentials are sealed by the root key itself, as earlier versions did',
    async ({ fixture }) => {
      const rootText = 'ab'.repeat(32);
      const root = { CREDENTIALS_KEY: rootText };
      const sealed = seal(key, shopifyService, JSON.stringify({ accessToken: 'a token' }));
      await fixture.database.pool.query(
        `insert into credentials (service, key_id, sealed, origin) values ('shopify', $1, $2, 'operator')`,
        [key.id, sealed],
      );
      const worker = parseWorkerKeys({ SEALING_KEY: deriveSealingKey(rootText, 'store') }, 'store');
      let from = fixture;
      for (const name of ['of an earlier version', 'of this version']) {
        await backUp(folder(name), workOn(from));
        from = await emptyInstallation();
        expect(await refusal(name, from, listKeyIds(worker).slice(1))).toContain('sealed with another key');
        await restore(folder(name), { ...workOn(from), sealingKeys: listKeyIds(deriveAllSealingKeys(root)) });
        const main = fileURLToPath(import.meta.resolve('@draftshelf/queues/migrate-main'));
        const env = { PATH: process.env.PATH, DATABASE_URL: from.databaseUrl, ...root };
        await promisify(execFile)(process.execPath, [main], { env });
        expect(await readCredential(from.database.db, worker, shopifyService)).toMatchObject({
          value: { accessToken: 'a token' },
        });
      }
    },
  );

  test('if the schema or the format is newer', async ({ fixture }) => {
    const empty = await emptyInstallation();
    await copied(fixture, 'newer');
    await changeManifest('newer', ({ migrations }) => void migrations.push('9999-later'));
    expect(await refusal('newer', empty)).toContain(
      '(9999-later). Restore it with that version or a newer one.',
    );
    await changeManifest('newer', (manifest) => Object.assign(manifest, { format: 2 }));
    expect(await refusal('newer', empty)).toContain('A newer version of Draftshelf');
  });

  test('if a file is missing, cut off or changed, or the backup was not completed', async ({ fixture }) => {
    const empty = await emptyInstallation();
    await copied(fixture, 'broken');
    const file = path.join(folder('broken'), 'tables/settings.copy.zst');
    const whole = await readFile(file);
    await truncate(file, whole.length - 1);
    expect(await refusal('broken', empty)).toContain('settings.copy.zst of the backup is cut off');
    await writeFile(file, whole.with(-1, (whole.at(-1) ?? 0) ^ 1));
    expect(await refusal('broken', empty)).toContain('settings.copy.zst of the backup was changed');
    await writeFile(file, whole);
    await appendFile(file, 'x');
    expect(await refusal('broken', empty)).toContain('settings.copy.zst of the backup was changed');
    await rm(file);
    expect(await refusal('broken', empty)).toContain('settings.copy.zst of the backup is missing');
    await truncate(path.join(folder('broken'), 'manifest.json'), 100);
    expect(await refusal('broken', empty)).toContain('was changed or is damaged');
    await rm(path.join(folder('broken'), 'manifest.json'));
    expect(await refusal('broken', empty)).toContain('not a complete backup');
    expect(await listTables(empty.database.db)).toEqual([]);
  });
});

test('of a changed manifest nothing outside of the folder is read, and no table that backups leave out', async ({
  fixture,
}) => {
  const empty = await emptyInstallation();
  const { tables } = await copied(fixture, 'foreign');
  const settings = tables.findIndex(({ name }) => name === 'settings');
  const manifestFile = path.join(folder('foreign'), 'manifest.json');
  const written = await readFile(manifestFile, 'utf8');
  const refusalOf = async (change: (table: Manifest['tables'][number]) => void) => {
    const manifest: Manifest = JSON.parse(written);
    const table = manifest.tables[settings];
    if (table) change(table);
    await writeFile(manifestFile, JSON.stringify(manifest));
    const refused = restore(folder('foreign'), { ...workOn(empty), sealingKeys: null });
    return refused.then(
      () => 'restored',
      (error) => (error instanceof BackupError ? error.message : error),
    );
  };
  const stored = path.join(folder('foreign'), 'tables/settings.copy.zst');
  for (const outside of ['../whole', '/etc/hostname', 'tables/../../x', 'objects/..', 'other/x']) {
    const at = await refusalOf((table) => Object.assign(table.file, { path: outside }));
    expect(at, outside).toContain('manifest.json was changed or is damaged');
  }
  expect(await refusalOf((table) => Object.assign(table, { name: 'sessions' }))).toContain(
    'manifest.json was changed or is damaged',
  );
  const cannotBeRead = 'settings.copy.zst of the backup is missing or cannot be read';
  await rename(stored, `${stored}.true`);
  await symlink(`${stored}.true`, stored);
  expect(await refusalOf(() => {})).toContain(cannotBeRead);
  await rm(stored);
  await symlink('/dev/zero', stored);
  expect(await refusalOf(() => {})).toContain(cannotBeRead);
  await rm(stored);
  execFileSync('mkfifo', [stored]);
  expect(await refusalOf(() => {})).toContain(cannotBeRead);
  await rm(stored);
  await rename(`${stored}.true`, stored);
  await rename(path.join(folder('foreign'), 'tables'), folder('elsewhere'));
  await symlink(folder('elsewhere'), path.join(folder('foreign'), 'tables'));
  expect(await refusalOf(() => {})).toContain('of the backup is missing or cannot be read');
  expect(await listTables(empty.database.db)).toEqual([]);
});

test.runIf(isLong)(
  'a restore needs the role that migrates; afterwards that of the api and workers reads everything',
  async ({ fixture }) => {
    const directory = folder('whole');
    const { manifest } = await whole(fixture);
    const empty = await emptyInstallation();
    const url = new URL(empty.databaseUrl);
    url.username = `${url.pathname.slice(1)}_app`;
    url.password = 'password-of-the-tests';
    await empty.database.pool.query(`create role ${url.username} login password '${url.password}'`);
    const app = openDatabase({ connectionString: url.href, applicationName: 'draftshelf-test' });
    onTestFinished(async () => {
      await app.close();
      await empty.database.pool.query(`drop owned by ${url.username}; drop role ${url.username}`);
    });
    const asApp = restore(directory, { ...workOn({ ...empty, database: app }), sealingKeys: null });
    await expect(asApp).rejects.toThrow(
      `The role ${url.username} may not create tables. Set DATABASE_URL to the owner of the database`,
    );
    await restore(directory, { ...workOn(empty), sealingKeys: null });
    await grantToAppRole(empty.database, url.href);
    const { rows } = await app.pool.query('select count(*)::int as rows from imports');
    expect(rows).toEqual([{ rows: manifest.tables.find(({ name }) => name === 'imports')?.rows }]);
  },
);

test.runIf(isLong)(
  'a backup that fails or is stopped leaves nothing behind, and never overwrites',
  async ({ fixture }) => {
    await expect(backUp(directory, workOn(fixture))).rejects.toThrow('exists already');
    const stopping = new AbortController();
    const stop = (sentence: string) => {
      if (sentence.startsWith('Copied')) stopping.abort(new Error('Stopped'));
    };
    const stopped = backUp(folder('stopped'), { ...workOn(fixture), signal: stopping.signal, report: stop });
    await expect(stopped).rejects.toThrow('Stopped');
    const early = backUp(folder('early'), {
      ...workOn(fixture),
      signal: AbortSignal.abort(new Error('Too early')),
    });
    await expect(early).rejects.toThrow();
    expect((await readdir(directory)).filter((name) => name === 'stopped' || name === 'early')).toEqual([]);
    await storedImport(fixture, { csv: productCsv(1), set: { object_key: 'files/lost.csv' } });
    const said: string[] = [];
    expect((await backUp(folder('lost'), workOn(fixture, said))).missing).toEqual(['files/lost.csv']);
    expect(said.at(-1)).toMatch(/^The object storage lacks 1 file that the database names/);
  },
);

test.runIf(isLong)(
  'before migrations are applied to data, the database is copied, and three copies are kept',
  async () => {
    const old = await emptyInstallation();
    const copies = folder('copies');
    expect(await backUpBeforeMigration(old.database, copies)).toBeUndefined();
    await migrate(old.database, '0076-left-rows');
    await mkdir(copies);
    const [oldest, ...kept] = ['2025-01-01T00-00-00-a', '2025-01-02T00-00-00-b', '2025-01-03T00-00-00-c'];
    const replaced = '2025-01-02T12-00-00-c';
    for (const name of [oldest, replaced, ...kept]) {
      await mkdir(path.join(copies, name ?? ''));
      await writeFile(path.join(copies, name ?? '', 'manifest.json'), '{}');
    }
    await mkdir(path.join(copies, '2025-01-04T00-00-00-not-completed'));
    await mkdir(path.join(copies, 'of-somebody'));
    const copy = (await backUpBeforeMigration(old.database, copies)) ?? '';
    expect(path.basename(copy)).toMatch(/^\d{4}-\d\d-\d\dT[\d-]{8}-0076-left-rows$/);
    expect((await readdir(copies)).toSorted()).toEqual([...kept, path.basename(copy), 'of-somebody']);
    await migrate(old.database);
    expect(await backUpBeforeMigration(old.database, copies)).toBeUndefined();
    const restored = await emptyInstallation();
    const said: string[] = [];
    await restore(copy, { ...workOn(restored, said), sealingKeys: [] });
    expect(said).toContain(
      'This is a copy of the database only: the files in the object storage stay as they are.',
    );
  },
);

test.runIf(isLong)('each damage of a manifest is said in a sentence', async ({ fixture }) => {
  const empty = await emptyInstallation();
  const { tables } = await copied(fixture, 'damaged');
  const file = path.join(folder('damaged'), 'manifest.json');
  const written = await readFile(file, 'utf8');
  const at = (name: string) => tables.findIndex((table) => table.name === name);
  const damages: [string, (manifest: Manifest) => unknown, RegExp][] = [
    ['no JSON', () => 'x', /^\S+manifest.json was changed or is damaged/],
    ['a list', () => [], /^\S+manifest.json was changed or is damaged/],
    ['a part is missing', ({ objects: _, ...rest }) => rest, /manifest.json was changed or is damaged/],
    ['a number is text', (m) => Object.assign(m, { sequences: { x: '1' } }), /manifest.json was changed/],
    ['a number is broken', (m) => Object.assign(m, { sequences: { x: 1.5 } }), /manifest.json was changed/],
    ['a count is negative', (m) => Object.assign(m.tables[0] ?? {}, { rows: -1 }) && m, /manifest.json was/],
    ['a table is missing', (m) => m.tables.splice(at('rows'), 1) && m, /it lacks the table rows\./],
    [
      'rows are missing',
      (m) => Object.assign(m.tables[at('rows')] ?? {}, { rows: 9 }) && m,
      /rows has 0 rows instead/,
    ],
    [
      'a column is unknown',
      (m) => m.tables[at('rows')]?.columns.splice(0, 1, 'x') && m,
      /: rows: column "x"/,
    ],
    [
      'a file is not packed',
      (m) => Object.assign(m.tables[at('rows')] ?? {}, { file: m.objects[0]?.file }) && m,
      /: rows: /,
    ],
    [
      'rows of an import are missing',
      (m) =>
        Object.assign(m.tables[at('imports')] ?? {}, { file: m.tables[at('edits')]?.file, rows: 0 }) && m,
      /damaged: .*foreign key/,
    ],
  ];
  for (const [what, change, sentence] of isLong ? damages : damages.filter((_, at) => at % 3 === 0)) {
    const changed = change(JSON.parse(written));
    await writeFile(file, what === 'no JSON' ? '{"format": 1,' : JSON.stringify(changed));
    const refused = restore(folder('damaged'), { ...workOn(empty), sealingKeys: null });
    const error: unknown = await refused.catch((error) => error);
    expect(error, what).toBeInstanceOf(BackupError);
    expect((error as Error).message, what).toMatch(sentence);
    expect((error as Error).message, what).toMatch(/[Uu]se another copy of the backup\.$/);
    expect(await listTables(empty.database.db), what).toEqual([]);
    await expect.poll(() => openedIn(folder('damaged')), { message: what }).toEqual([]);
  }
  await writeFile(file, written);
  await restore(folder('damaged'), { ...workOn(empty), sealingKeys: null });
});

/** The files of a folder that this process has open. */
async function openedIn(directory: string): Promise<string[]> {
  const opened = await readdir('/proc/self/fd');
  const links = opened.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((file) => file.startsWith(directory));
}
