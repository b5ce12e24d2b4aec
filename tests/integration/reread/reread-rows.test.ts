import { removeReplacedRows } from '@draftshelf/core/review/remove-rows';
import { addToRunCounts, createFacetCounter } from '@draftshelf/core/review/row-facets';
import { duplicateBit, toIssueSet } from '@draftshelf/domain/review/issue-set';
import { expect } from 'vitest';
import type { TestApi } from '../../support/api.ts';
import { claimTask } from '../../support/claim-task.ts';
import { lockWaiters, productCsv, storedImport, until } from '../../support/fixture.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

const test = testOnApi();

/** An import at rest with rows of run 1: `warnings` rows without a price, then `valid` ones. */
async function restingImport({ warnings, valid }: { warnings: number; valid: number }): Promise<string> {
  const { pool } = fixture.database;
  const total = warnings + valid;
  const { id } = await storedImport(fixture, {
    csv: productCsv(2),
    set: { status: 'queued', total_rows: total, total_products: total, open_chunks: 0 },
  });
  await pool.query(`update chunks set state = 'done' where import_id = $1`, [id]);
  await pool.query(
    `insert into rows (import_id, run, row, line, byte_from, product, class, enrichable, title, issues, cells)
     select $1, 1, i, i, i, i, case when i > $2::int then 'valid' else 'warning' end, false, 'Vase ' || i,
       case when i <= $2::int then $4::bigint else 0 end, '[]' from generate_series(1, $3::int) i`,
    [id, warnings, total, toIssueSet(['price-missing'])],
  );
  const rows = Array.from({ length: total }, (_, at) => ({ row: at + 1, ignored: null }));
  const counter = createFacetCounter();
  const passed = counter.passed(
    rows.map((row) =>
      row.row > warnings
        ? { ...row, class: 'valid' as const, issues: 0 }
        : { ...row, class: 'warning' as const, issues: toIssueSet(['price-missing']) },
    ),
  );
  expect([...passed].length).toBe(total);
  await addToRunCounts(fixture.database.db, { import_id: id, run: 1 }, { facets: counter.facets() });
  await pool.query('update runs set ended_at = now() where import_id = $1', [id]);
  return id;
}

/** The import after the split of a re-read: the totals are those of the new run. */
async function beginReread(id: string, rows: number): Promise<void> {
  const { dialect } = (
    await fixture.database.pool.query('select dialect from runs where import_id = $1', [id])
  ).rows[0];
  await api.call('POST', `/api/queue/${id}/dialect`, { body: { delimiter: ';' } });
  await fixture.database.pool.query(`update runs set total_rows = $2 where import_id = $1 and run = 2`, [
    id,
    rows,
  ]);
  expect(dialect.delimiter).toBe(',');
}

test('during a re-read, pages and totals are those of the current rows', async () => {
  const id = await restingImport({ warnings: 59_000, valid: 1_000 });
  await beginReread(id, 10);
  const page = async (query: string) =>
    (await api.call('GET', `/api/queue/${id}/rows?${query}`)).body as {
      rows: { row: number }[];
      totalRows: number;
      matching: number;
      later: boolean;
    };
  const valid = await page('class=valid&limit=25');
  expect(valid).toMatchObject({ totalRows: 60_000, matching: 1_000, later: true });
  expect(valid.rows.map(({ row }) => row)).toEqual(Array.from({ length: 25 }, (_, i) => 59_001 + i));
  expect((await page('after=59990&limit=25')).rows.length).toBe(10);
  expect((await page('class=valid&before=60001&limit=3')).rows.map(({ row }) => row)).toEqual([
    59_998, 59_999, 60_000,
  ]);
  const job = (await api.call('GET', `/api/jobs/${id}`)).body;
  expect(job).toMatchObject({
    csvDataTotal: 60_000,
    dialect: { delimiter: ',' },
    rereading: { delimiter: ';' },
  });
  const listed = (await api.call('GET', '/api/queue')).body as { id: string }[];
  expect(listed.find((one) => one.id === id)).toMatchObject({
    dialect: { delimiter: ',' },
    rereading: { delimiter: ';' },
  });
  await api.call('POST', `/api/queue/${id}/cancel`);
  expect((await api.call('GET', `/api/jobs/${id}`)).body).toMatchObject({
    rereading: null,
    totalRows: 60_000,
  });
});

/** Locks a table, waits until a connection is blocked, runs `meanwhile`, and unlocks it. */
async function heldUp(table: string, begin: () => void, meanwhile: string, id: string): Promise<void> {
  const holder = await fixture.database.pool.connect();
  try {
    await holder.query('begin; set local idle_in_transaction_session_timeout = 0');
    await holder.query(`lock table ${table} in access exclusive mode`);
    begin();
    await untilWaiting();
    await holder.query(meanwhile.replaceAll('$1', `'${id}'`));
    await holder.query('commit');
  } finally {
    holder.release();
  }
}

const untilWaiting = () => until('somebody waits for a lock', async () => (await lockWaiters(fixture)) > 0);

test('a page of rows is consistent, even if a new run becomes current meanwhile', async () => {
  const id = await restingImport({ warnings: 1, valid: 2 });
  const before = (await api.call('GET', `/api/queue/${id}/rows`)).body;
  let reading: ReturnType<TestApi['call']> | undefined;
  await heldUp(
    'row_items',
    () => {
      reading = api.call('GET', `/api/queue/${id}/rows`);
    },
    `update rows set issues = issues | ${duplicateBit} where import_id = $1 and row = 2;
     insert into outcomes (import_id, rows_run, product, run, our_id, outcome) values ($1, 1, 1, 1, 'one', 'created')`,
    id,
  );
  expect((await reading)?.body).toEqual(before);
});

test('an import and its first rows are consistent', async () => {
  const id = await restingImport({ warnings: 1, valid: 2 });
  const before = (await api.call('GET', `/api/jobs/${id}`)).body as { processedData: object[] };
  let reading: ReturnType<TestApi['call']> | undefined;
  await heldUp(
    'row_items',
    () => {
      reading = api.call('GET', `/api/jobs/${id}`);
    },
    `update rows set vendor = 'Maker' where import_id = $1 and row = 1`,
    id,
  );
  expect((await reading)?.body).toEqual(before);
});

test('rows are removed only when no chunk can store more of them', async () => {
  const { database } = fixture;
  const id = await restingImport({ warnings: 1, valid: 2 });
  await database.pool.query(`update chunks set state = 'published' where import_id = $1`, [id]);
  const chunk = await claimTask(database, { import_id: id, run: 1 }, 'remove-rows');
  expect(await removeReplacedRows(database.db, chunk)).toEqual({
    waitFor: 'Parts of the replaced run are still being read.',
  });
  await database.pool.query(`update chunks set state = 'dropped' where import_id = $1 and kind = 'work'`, [
    id,
  ]);
  expect(await removeReplacedRows(database.db, chunk)).toBe('more');
});
