import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { backUp } from '@draftshelf/backup/back-up';
import { backUpBeforeMigration } from '@draftshelf/backup/before-migration';
import { readManifest } from '@draftshelf/backup/manifest';
import { restore } from '@draftshelf/backup/restore';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { migrate } from '@draftshelf/core/migrations/migrate';
import { appliedMigrations, ownMigrations } from '@draftshelf/core/migrations/schema-gate';
import { readChangesPage } from '@draftshelf/core/push/previews/change-lines';
import { findPlanLine, readPlanByProduct } from '@draftshelf/core/push/previews/plan-lines';
import { fillEffectiveValues } from '@draftshelf/core/review/fill-rows';
import { restoreItemKeys } from '@draftshelf/core/suppliers/count-rows';
import { selectItems } from '@draftshelf/core/suppliers/items-at';
import { bitOfChange } from '@draftshelf/domain/suppliers/list';
import { expect, onTestFinished, test } from 'vitest';
import { startApi } from '../../support/api.ts';
import { openEmptyInstallation, workOn } from '../../support/empty-installation.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { startStack, storeToken } from '../../support/stack.ts';
import { loadInstallation } from '../../support/stored-installation.ts';
import { countedSummary, storedSummary } from '../../support/stored-summary.ts';
import { valueDifferences } from '../../support/value-differences.ts';

/**
 * Stored by `store-installation-main.ts` after a real `npm start` of the oldest version whose data this one takes: four
 * imports, edits before and after a push, and one push that was stopped in its middle.
 */
const oldest = '35a700a9';
const [underWay, pushed] = [400, 40];

async function temporary(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'draftshelf-upgrade-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

type Listed = { id: string; filename: string; status: string };

/** What is wrong with the search texts and counts of the rows of all imports. */
async function differencesOfRows({ db }: Pick<OpenDatabase, 'db'>): Promise<string[]> {
  const imports = await db.selectFrom('imports').selectAll().execute();
  expect(imports.length).toBe(4);
  const found = imports.map(async (record) => [
    ...(await valueDifferences(db, { import_id: record.id, run: record.rows_run })),
    ...(isDeepStrictEqual(await storedSummary({ db }, record), await countedSummary({ db }, record))
      ? []
      : [record.filename]),
  ]);
  return (await Promise.all(found)).flat();
}

/** What a re-read changes on its import. */
const state = `status, parse_run, stage, open_chunks, total_rows, total_products, product_numbers, edits_without_row,
  parsed_rows, processed_products, valid_products, warning_products, error_products, enrich_rows, enriched_rows,
  marked_ready, failed_in, error_message, error_log, error_count, started_at, completed_at`;

/** Begins a re-read, as the oldest version does, and stops it in its finalize, which has added a row. */
async function beginReread({ pool }: Pick<OpenDatabase, 'pool'>, filename: string): Promise<void> {
  await pool.query(
    `insert into runs (import_id, stage, run, kind, dialect, mapping_overrides, snapshot, finalize)
     select shown.id, 'parse', 2, 'reread', dialect, mapping_overrides, json_build_object(
         'status', status, 'columns', row_to_json(shown), 'last_edit', (
           select coalesce(max(edits.id), 0) from edits where edits.import_id = shown.id)),
       '{"step": "apply edits", "at": 7, "joined": true, "offsetsFromImport": null, "added": 1, "products": {"total": 1, "valid": -1, "warning": 2, "error": 0}}'
     from imports shown join runs on import_id = shown.id and runs.stage = 'parse' and run = rows_run
     where filename = $1`,
    [filename],
  );
  await pool.query(
    `update imports set status = 'paused', paused_from = 'processing', paused_by = 'operator', parse_run = 2,
       stage = 'parse', total_rows = 7, total_products = 7, product_numbers = 7, parsed_rows = 7, valid_products = 7,
       warning_products = 0, error_products = 0, error_log = '{}', started_at = now(), completed_at = null
     where filename = $1`,
    [filename],
  );
}

/** Two items of a supplier, of which its second list has renumbered one, with what was said of them by their keys. */
async function insertItems({ pool }: Pick<OpenDatabase, 'pool'>): Promise<number> {
  const { rows } = await pool.query(
    `with supplier as (
       insert into suppliers (name, last_number) values ('Acme', 2) returning id
     ), lists as (
       insert into supplier_lists (supplier, number, filename, state, counted_at)
       select id, at, at || '.csv', 'counted', now() + at * interval '1 second' from supplier, (values (1), (2)) given (at)
     ), items as (
       insert into supplier_items (supplier, key, our_id, price, gtin, first_list, content_list)
       select id, key, 'id of ' || key, 20, gtin, 1, 2
       from supplier, (values ('s:A', 11), ('s:NEW', 12), ('s:OTHER', null)) given (key, gtin)
     ), changes as (
       insert into list_changes (supplier, list, key, before)
       select id, 2, key, before::json from supplier, (values ('s:NEW', null), ('s:OTHER', '{"content_list": null}'), (
         's:OLD', '{"our_id": "id of s:NEW", "price": 10, "gtin": 12, "first_list": 1, "content_list": 1}')
       ) given (key, before)
     ), said as (
       insert into carried_values (supplier, subject, field, kind, value, said_at, said_in, import_id)
       select id, subject, 'price', 'value', value, now() + seconds * interval '1 second', 'a.csv', gen_random_uuid()
       from supplier, (values ('s:A', '1', 0), ('s:OLD', '2', 1), ('s:NEW', '3', 0), ('p:id', '4', 0), ('s:NONE', '5', 0)
       ) given (subject, value, seconds)
     ), recipes as (
       insert into supplier_recipes (supplier, operations, target, takes, position, rows_last, rows_then, done_in,
         made_in, made_at, done_at)
       select id, '[]', '{"keys": ["s:A", "s:OLD"]}', '{"columns": [], "fields": []}', 1, 1, 1, 'a.csv',
         gen_random_uuid(), now(), now() from supplier
     ), named as (
       update imports set supplier = supplier.id from supplier where filename = 'pushed.csv'
       returning imports.id, rows_run
     ), found as (
       insert into row_items (import_id, run, row, item, change) select id, rows_run, 1, 's:OLD', 0 from named
     )
     select id from supplier`,
  );
  return rows[0].id;
}

const difference = { part: 'title', name: '', store: 'Lamp', push: 'Lamp 2' };
const kept = { part: 'title', name: '', before: 'Lamp', ours: 'Lamp 2', now: 'Lamp 3', reason: 'changed' };
const gone = { keys: ['s:1'], isWhole: true, isListed: false, soldBy: 'Acme' };

/** Lines of a plan, an undo and a product that is gone, as the version before facts has stored them. */
const insertLines = ({ pool }: Pick<OpenDatabase, 'pool'>) =>
  pool.query(`insert into preview_lines select * from json_populate_recordset(null::preview_lines, $1)`, [
    JSON.stringify(
      [
        { preview: -1, line: 1, outcome: 'updated', parts: 'title,vendor', draft_hash: 'hash' },
        {
          ...{
            preview: -1,
            line: 2,
            outcome: 'skipped',
            code: 'drifted',
            message: 'Changed.',
            parts: 'title',
          },
          ...{ changes: { shown: [difference], more: 2 }, change_rank: 3, live: { id: 'live' } },
          ...{ our_id: 'id', about: 'drifted', basis: 'basis', choices: 'use-ours,skip', choice: 'skip' },
        },
        { preview: -1, line: 3, outcome: 'created' },
        { preview: -2, line: 1, our_id: 'id', title: 'Lamp', action: 'delete', choosable: true },
        {
          ...{ preview: -2, line: 2, our_id: 'id 2', action: 'keep', code: 'changed', kept: [kept] },
          ...{ choosable: true, choice: 'archive', result: 'archive', result_message: 'Archived.' },
        },
        { preview: -2, line: 3, our_id: 'id 3', action: 'restore', choosable: false },
        { preview: -3, line: 1, our_id: 'id', title: 'Lamp', action: 'draft', items: gone },
      ].map((line) => ({ change_rank: 0, ...line })),
    ),
  ]);

/** Expects them, read by the migrated version. */
async function expectLines({ db }: Pick<OpenDatabase, 'db'>): Promise<void> {
  const page = { after: 0, limit: 9 };
  const named = (part: string) => ({ part, name: '', store: null, push: null });
  expect(await readPlanByProduct(db, -1, page)).toMatchObject([
    {
      ...{ action: 'updated', change_rank: 0, choices: null },
      facts: { parts: ['title', 'vendor'], changes: { shown: ['title', 'vendor'].map(named), more: 0 } },
    },
    {
      ...{ action: 'skipped', code: 'drifted', message: 'Changed.', change_rank: 3, our_id: 'id' },
      ...{ about: 'drifted', basis: 'basis', choices: 'use-ours,skip', choice: 'skip', planned_choice: null },
      facts: { parts: ['title'], changes: { shown: [difference], more: 2 } },
    },
    { action: 'created', facts: {} },
  ]);
  expect(await findPlanLine(db, -1, 2)).toMatchObject({ live: { id: 'live' } });
  expect(await readChangesPage(db, { id: -2, kind: 'undo' }, {}, page)).toMatchObject([
    { our_id: 'id', title: 'Lamp', action: 'delete', choices: 'keep,archive', change_rank: null, facts: {} },
    {
      ...{
        action: 'keep',
        code: 'changed',
        choices: 'keep,archive,delete',
        choice: 'archive',
        facts: { kept: [kept] },
      },
      ...{ result: 'archive', result_code: null, result_message: 'Archived.' },
    },
    { action: 'restore', choices: null, facts: {} },
  ]);
  expect(await readChangesPage(db, { id: -3, kind: 'gone' }, { action: 'draft' }, page)).toMatchObject([
    { our_id: 'id', title: 'Lamp', action: 'draft', facts: gone },
  ]);
}

/** What the migrated database says of the items that insertItems has inserted, by their keys. */
async function readItems({ db, pool }: Pick<OpenDatabase, 'db' | 'pool'>, supplier: number) {
  const itemsOf = async (before: number | null) => {
    const { sql, parameters } = selectItems({ supplier, before }).compile(db);
    return (
      await pool.query(`select key, price, content_list from (${sql}) items order by key`, [...parameters])
    ).rows;
  };
  const keyOf = (item: string) => `(select key from supplier_items where id = ${item})`;
  const read = async (query: string) => (await pool.query(query, [supplier])).rows;
  return {
    said: await read(
      `select case when starts_with(subject, 'i:') then ${keyOf('substr(subject, 3)::bigint')} else subject end as of,
         value from carried_values where supplier = $1 order by value`,
    ),
    now: await itemsOf(null),
    before: await itemsOf(2),
    recipes: await read(
      `select ${keyOf('item::bigint')} as of
       from supplier_recipes, json_array_elements_text(target -> 'items') as named (item) where supplier = $1 order by 1`,
    ),
    rows: await read(
      `select ${keyOf('item')} as of from row_items join imports on imports.id = import_id where supplier = $1`,
    ),
  };
}

test('the data of the oldest version is copied, migrated and read, and its push goes on', async () => {
  const stack = await startStack({ names: [] });
  onTestFinished(stack.close);
  const { pool } = stack.database;
  await pool.query('drop schema public cascade; create schema public');
  await loadInstallation(oldest, { database: stack.database, dataDir: path.dirname(stack.watchFolder) });
  const listings = async () => (await pool.query('select from listings')).rowCount ?? 0;
  const before = await listings();
  expect(before).toBeGreaterThan(pushed);
  expect(before).toBeLessThan(pushed + underWay);

  const copies = await temporary();
  const copy = await backUpBeforeMigration(stack.database, copies);
  const applied = await appliedMigrations(stack.database.db);
  if (applied.length < ownMigrations().length) {
    const { migrations, tables } = await readManifest(copy ?? '');
    expect(migrations).toEqual(applied);
    expect(tables.find(({ name }) => name === 'listings')?.rows).toBe(before);
  }
  const { rows: shown } = await pool.query(`select ${state} from imports where filename = 'reviewed.csv'`);
  await beginReread(stack.database, 'reviewed.csv');
  await pool.query(
    `insert into change_bitmaps (import_id, run, change, block, rows)
     select id, rows_run, 'carried', 1, set_bit(0::bit(1024), 3, 1) from imports where filename = 'reviewed.csv'`,
  );
  const supplier = await insertItems(stack.database);
  await pool.query(`
    insert into tasks (kind, subject, due_at, held_until, claims, attempts, error) values
      ('sync-store', 'shop', null, null, 4, 0, 'No answer'), ('sign-in', 'onedrive', null, now(), 1, 0, null),
      ('delete-supplier', '7', now() + interval '1 hour', null, 2, 1, 'It broke.')`);
  await migrate(stack.database, '0111-changes-of-lines');
  await insertLines(stack.database);
  await migrate(stack.database);
  await expectLines(stack.database);
  const { rows: tasks } = await pool.query(
    `select task || ' ' || subject as name, state, claims, attempts, error, not_before > now() as later
     from chunks where task in ('sync-store', 'sign-in', 'delete-supplier') order by id`,
  );
  expect(tasks).toEqual([
    { name: 'sync-store shop', state: 'done', claims: 4, attempts: 0, error: 'No answer', later: null },
    { name: 'sign-in onedrive', state: 'pending', claims: 1, attempts: 0, error: null, later: false },
    { name: 'delete-supplier 7', state: 'pending', claims: 2, attempts: 1, error: 'It broke.', later: true },
  ]);
  const [renumbered, known] = [{ of: 's:NEW' }, { of: 's:A' }];
  expect(await readItems(stack.database, supplier)).toEqual({
    said: [
      { ...known, value: '1' },
      { ...renumbered, value: '2' },
      { of: 'p:id', value: '4' },
    ],
    now: [
      { key: 's:A', price: 20, content_list: 2 },
      { key: 's:NEW', price: 20, content_list: 2 },
      { key: 's:OTHER', price: 20, content_list: 2 },
    ],
    before: [
      { key: 's:A', price: 20, content_list: null },
      { key: 's:OLD', price: 10, content_list: 1 },
      { key: 's:OTHER', price: 20, content_list: null },
    ],
    recipes: [known, renumbered],
    rows: [renumbered],
  });
  await pool.query(`update supplier_lists set state = 'open' where supplier = $1 and number = 2`, [supplier]);
  await restoreItemKeys(stack.database.db, { supplier, number: 2 });
  const { rows: keys } = await pool.query('select key from supplier_items where supplier = $1 order by key', [
    supplier,
  ]);
  expect(keys.map(({ key }) => key)).toEqual(['s:A', 's:OLD', 's:OTHER']);
  await pool.query('update imports set supplier = null where supplier = $1', [supplier]);
  const { rows: marked } = await pool.query(
    `select row from row_items where change & ${bitOfChange('carried')} <> 0`,
  );
  expect(marked).toEqual([{ row: 1024 + 3 }]);
  const { rows: read } = await pool.query(
    `select ${state} from import_records where filename = 'reviewed.csv'`,
  );
  expect(read).toMatchObject([
    { status: 'paused', total_rows: 8, total_products: 8, valid_products: 6, warning_products: 2 },
  ]);
  const { rows: begun } = await pool.query(
    `select finalize, exists (select from row_joins where row_joins.import_id = runs.import_id) as joins
     from runs where kind = 'reread' and ended_at is null`,
  );
  expect(begun).toMatchObject([{ finalize: { step: 'count products', at: 0 }, joins: true }]);
  expect(await fillEffectiveValues(stack.database)).toBeGreaterThan(3);
  expect(await fillEffectiveValues(stack.database)).toBe(0);
  expect(await differencesOfRows(stack.database)).toEqual([]);
  expect(await listings()).toBe(before);

  const api = await startApi(stack, { storeUrl: stack.store.url, storeToken });
  onTestFinished(api.close);
  await api.login();
  const get = async (address: string) => {
    const { status, body } = await api.call('GET', address);
    expect(status, address).toBe(200);
    return body;
  };
  // A new installation has it on.
  expect(await get('/api/preferences')).toMatchObject({ sendNonOverlapping: false });
  const { rows: paused } = await pool.query(`select id from imports where status = 'paused'`);
  expect(await api.call('POST', `/api/queue/${paused[0].id}/cancel`)).toMatchObject({ status: 200 });
  const { rows: returned } = await pool.query(
    `select ${state} from import_records where filename = 'reviewed.csv'`,
  );
  expect(returned).toEqual(shown);
  const jobs = (await get('/api/queue')) as Listed[];
  expect(jobs.map(({ filename, status }) => `${filename} ${status}`).toSorted()).toEqual([
    'nul.csv processed',
    'pushed.csv processed',
    'reviewed.csv queued',
    'under-way.csv uploading',
  ]);
  for (const { id } of jobs) {
    for (const part of ['', '/rows', '/report', '/products/1']) await get(`/api/queue/${id}${part}`);
  }
  const idOf = (filename: string) => jobs.find((job) => job.filename === filename)?.id ?? '';
  const { rows: reviewed } = (await get(`/api/queue/${idOf('reviewed.csv')}/rows`)) as {
    rows: { row: number; values: { price?: string } }[];
  };
  expect(reviewed.find(({ row }) => row === 4)?.values.price).toBe('7.77');

  const steps = pushSteps(() => stack);
  await Promise.all((['store-simulator', 'push-worker', 'enrich-worker'] as const).map(stack.start));
  expect(await steps.reach(idOf('under-way.csv'), 'completed')).toMatchObject({
    created: underWay,
    failed: 0,
    skipped: 0,
  });
  await steps.push(idOf('pushed.csv'));
  expect(await steps.reach(idOf('pushed.csv'), 'completed')).toMatchObject({
    updated: 1,
    unchanged: pushed - 1,
  });
  const skus = (await stack.store.products()).flatMap(({ variants }) => variants.map(({ sku }) => sku));
  expect([skus.length, new Set(skus).size]).toEqual([pushed + underWay, pushed + underWay]);
});

test.runIf(isLong)(
  'the data of the oldest version is backed up and restored by this version; a copy that fails is a sentence',
  async () => {
    const [old, restored] = [await openEmptyInstallation(), await openEmptyInstallation()];
    onTestFinished(old.close);
    onTestFinished(restored.close);
    await old.storage.client.makeBucket(old.storage.bucket);
    await loadInstallation(oldest, { database: old.database });
    const directory = path.join(await temporary(), 'backup');
    const { missing } = await backUp(directory, workOn(old));
    expect(missing).toHaveLength(4);
    await restore(directory, { ...workOn(restored), sealingKeys: null });
    expect(await appliedMigrations(restored.database.db)).toEqual(ownMigrations());
    expect(await differencesOfRows(restored.database)).toEqual([]);

    // The copy that npm start makes, where it cannot be written.
    const main = fileURLToPath(import.meta.resolve('@draftshelf/backup/before-migration-main'));
    const failed = promisify(execFile)(process.execPath, [main, '/dev/null/copies'], {
      env: { PATH: process.env.PATH, DATABASE_URL: old.databaseUrl },
    });
    const output: string = await failed.then(
      () => '',
      ({ stderr }) => stderr,
    );
    expect(output).toMatch(/^ENOTDIR: .*\nNothing was changed\. Check that \/dev\/null\/copies is writable/);
    expect(output).not.toMatch(/^ +at /m);
  },
);
