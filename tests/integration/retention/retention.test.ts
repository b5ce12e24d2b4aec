import { randomUUID } from 'node:crypto';
import { withPinnedConnection } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { beginExpiredRemovals, type RetentionDays } from '@draftshelf/core/operate/remove-old';
import { removeOldEntries } from '@draftshelf/core/operate/retention/old-entries';
import { findDeletedImport, insertDeletedImport } from '@draftshelf/core/reading/kept-places';
import { claimChunk } from '@draftshelf/core/work/claim-chunk';
import { removeImportRecords } from '@draftshelf/core/work/delete-import';
import { photoAddress, photoKey } from '@draftshelf/domain/base/photo-address';
import { expect } from 'vitest';
import { productCsv, storedImport, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const { upload, reach } = importSteps(() => stack);
/** What an earlier test has left is not due. */
test.afterEach(() => sql(`update runs set completed_at = now() where stage = 'parse'`));

const sql = async (text: string, values: unknown[] = []) =>
  (await stack.database.pool.query(text, values)).rows;
const countOf = async (table: string, id: string): Promise<number> =>
  (await sql(`select count(*)::int as count from ${table} where import_id = $1`, [id]))[0].count;
const call = (method: string, path: string, body?: object) =>
  stack.api.call(method, path, body === undefined ? {} : { body });
const retain = (kept: Partial<RetentionDays>) =>
  beginExpiredRemovals(stack.database, { keepRowsDays: null, keepFilesDays: null, ...kept });
const set = (id: string, values: string) => sql(`update imports set ${values} where id = $1`, [id]);
const setRun = (id: string, values: string) =>
  sql(`update runs set ${values} where import_id = $1 and stage = 'parse'`, [id]);

/** An import in review. */
async function reviewed(csv: string): Promise<string> {
  const id = await upload(csv);
  await reach(id, 'processed', 'queued');
  return id;
}

test('rows are removed only from imports that have ended and can be read again', async () => {
  const id = await reviewed(productCsv(5));
  await setRun(id, `completed_at = now() - interval '1 year'`);
  expect(await retain({ keepRowsDays: 30, keepFilesDays: 30 })).toBe(0);
  await setRun(id, `failed_in = 'push', error_message = 'No answer.'`);
  await set(id, `status = 'failed', push_run = 1, created = 2, failed = 3`);
  expect(await retain({ keepRowsDays: 30 })).toBe(0);
  await set(id, `created = 0, failed = 5`);
  expect(await retain({ keepRowsDays: 400 })).toBe(0);
  expect(await retain({ keepRowsDays: 30 })).toBe(1);
  expect(await retain({ keepRowsDays: 30 })).toBe(0);

  // Downloads that have begun may go on; what begins now is refused.
  const [task] = await sql(
    `select state, not_before > now() + interval '5 minutes' as waits from chunks where task = 'retire-rows'`,
  );
  expect(task).toEqual({ state: 'pending', waits: true });
  expect(await countOf('rows', id)).toBe(5);
  const removed = { status: 409, body: { message: expect.stringContaining('Choose Read Again first.') } };
  expect(await call('GET', `/api/queue/${id}/failed-rows.csv`)).toMatchObject(removed);
  expect(await call('POST', `/api/queue/${id}/retry`)).toMatchObject(removed);
  expect(await call('PATCH', `/api/queue/${id}/rows/1`, { values: { title: 'New' } })).toMatchObject(removed);

  await sql(`update chunks set not_before = null, deferred_at = null where task = 'retire-rows'`);
  await until('the rows are removed', async () => (await countOf('rows', id)) === 0);
  const job = async () => (await call('GET', `/api/jobs/${id}?rows=0`)).body;
  expect(await job()).toMatchObject({ hasRows: false, rowsRemovedAt: expect.any(String), totalRows: 5 });
  const left = ['row_matches', 'kept_places'].map((table) => countOf(table, id));
  expect(await Promise.all(left)).toEqual([0, 1]);

  expect((await call('POST', `/api/queue/${id}/read-again`)).status).toBe(200);
  await reach(id, 'processed');
  expect(await job()).toMatchObject({ hasRows: true, rowsRemovedAt: null });
  await until(
    'the places are removed with the earlier run',
    async () => (await countOf('kept_places', id)) === 0,
  );
});

test('a file that is kept long enough is left over, and cannot be read again', async () => {
  const id = await reviewed(productCsv(2));
  await set(id, `status = 'completed'`);
  await setRun(id, `completed_at = now() - interval '1 year'`);
  expect(await retain({ keepFilesDays: 400 })).toBe(0);
  expect(await retain({ keepFilesDays: 300 })).toBe(1);
  expect(await sql(`select sweeps from uploads join imports using (object_key) where id = $1`, [id])).toEqual(
    [{ sweeps: 0 }],
  );
  const refused = await call('POST', `/api/queue/${id}/read-again`);
  expect(refused).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Upload it again') },
  });
});

test('an import is deleted with all that belongs to it, but not while it works', async () => {
  const id = await reviewed(productCsv(4));
  const other = await reviewed(productCsv(3).replaceAll('V-', 'O-'));
  for (const status of ['processing', 'uploading', 'paused']) {
    await set(id, `status = '${status}'`);
    const refused = await call('DELETE', `/api/queue/${id}`);
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('cancel it') } });
  }
  await set(id, `status = 'processed'`);
  const { object_key } = (await findImport(stack.database.db, id)) as ImportRecord;
  expect((await call('DELETE', `/api/queue/${id}`)).status).toBe(200);
  await until('it is gone', async () => (await findImport(stack.database.db, id)) === undefined);
  const tables = [...['rows', 'kept_places', 'runs', 'chunks', 'edits'], 'outcomes'];
  expect(await Promise.all(tables.map((table) => countOf(table, id)))).toEqual(tables.map(() => 0));
  expect(await sql(`select sweeps from uploads where object_key = $1`, [object_key])).toEqual([
    { sweeps: 0 },
  ]);
  expect(await sql(`select 1 from deleted_imports where id = $1`, [id])).toEqual([]);
  expect(await countOf('rows', other)).toBe(3);
});

test.for([
  ['push', 1, 'work'],
  ['parse', 2, 'finalize'],
] as const)(
  'an import is deleted when no worker holds a part of its %s any more',
  async ([stage, run, kind]) => {
    const id = await reviewed(productCsv(2).replaceAll('V-', `H-${run}-`));
    const [chunk] = await sql(
      `insert into chunks (import_id, stage, run, kind, sequence) values ($1, $2, $3, $4, 0)
     returning id, publication`,
      [id, stage, run, kind],
    );
    await setRun(id, `import_stage = '${stage}'`);
    await set(id, `status = 'cancelled', push_run = ${stage === 'push' ? run : 0}`);
    await withPinnedConnection(stack.database, async ({ db }) => {
      expect(await claimChunk(db, chunk)).toBeDefined();
      await sql(`update chunks set state = 'dropped', ended_at = now() where id = $1`, [chunk.id]);
      expect((await call('DELETE', `/api/queue/${id}`)).status).toBe(200);
      await until('the task waits', async () => {
        const [task] = await sql(
          `select waiting_for from chunks where import_id = $1 and task = 'delete-import'`,
          [id],
        );
        return task.waiting_for === 'Work on this import is still ending.';
      });
      expect(await sql(`select 1 from chunks where id = $1`, [chunk.id])).toHaveLength(1);
      expect(await countOf('rows', id)).toBe(2);
      throw new Error('the connection is closed');
    }).catch((error: Error) => expect(error.message).toBe('the connection is closed'));
    await until('it is gone', async () => (await findImport(stack.database.db, id)) === undefined);
  },
);

test('what has a line per row or product is deleted in parts, before the import', async () => {
  const id = await reviewed(productCsv(1).replaceAll('V-', 'P-'));
  await sql(`insert into ai_asks (import_id, byte_from, row, fields, hash) values ($1, 0, 1, '{}', '')`, [
    id,
  ]);
  await sql(`insert into stamp_reads (import_id, run, part) values ($1, 1, 0)`, [id]);
  await sql(
    `insert into key_claims (shop, kind, value, our_id, import_id) values ('shop', 'sku', 'P-1', 'p', $1)`,
    [id],
  );
  const photo = randomUUID();
  await sql(
    `insert into added_rows (import_id, product_id, ordinal, own_id, values, version, photos)
     values ($1, gen_random_uuid(), 1, 'own', '{}', 1, $2)`,
    [id, [photoAddress(photo)]],
  );
  await sql(
    `with command as (insert into edit_commands (import_id, kind, rows) values ($1, 'bulk', 1) returning id)
     insert into command_targets (import_id, run, command, block, rows)
     select $1, 1, id, 0, repeat('1', 1024)::bit(1024) from command`,
    [id],
  );
  while ((await removeImportRecords(stack.database.db, { import_id: id })) > 0);
  const tables = ['ai_asks', 'stamp_reads', 'key_claims', 'added_rows', 'command_targets'];
  expect(await Promise.all(tables.map((table) => countOf(table, id)))).toEqual(tables.map(() => 0));
  expect(await sql(`select 1 from uploads where object_key = $1`, [photoKey(photo)])).toHaveLength(1);
  expect(await findImport(stack.database.db, id)).toBeDefined();
});

test('of several deleted imports of a file, the one that has read the most rows is found', async () => {
  const read = { scannedIn: 'the file itself', countedIn: 'the file itself' };
  const deleted = (total_rows: number) => ({ id: randomUUID(), sha256: 'deleted', rows_run: 1, total_rows });
  const whole = deleted(500);
  for (const one of [deleted(500), whole, deleted(100)])
    await insertDeletedImport(stack.database.db, one, read);
  expect(await findDeletedImport(stack.database.db, 'deleted')).toMatchObject({ id: whole.id });
});

test('an import that is being deleted is left alone', async () => {
  const { id } = await storedImport(stack, { csv: productCsv(2) });
  await reach(id, 'processed');
  await set(id, `deletion_began_at = now()`);
  const refused = { status: 409, body: { message: 'This import is being deleted.' } };
  expect(await call('POST', `/api/queue/${id}/push`)).toMatchObject(refused);
  expect(await call('POST', `/api/queue/${id}/read-again`)).toMatchObject(refused);
  expect(await call('PATCH', `/api/queue/${id}/rows/1`, { values: { title: 'New' } })).toMatchObject(refused);
});

test('old entries are removed, and recent ones and those of imports under way are kept', async () => {
  const ended = await reviewed(productCsv(1));
  const running = await reviewed(productCsv(1).replaceAll('V-', 'W-'));
  await set(ended, `status = 'completed'`);
  for (const id of [ended, running]) {
    await sql(
      `insert into chunks (import_id, stage, run, kind, sequence, state, ended_at)
       select $1, 'push', 1, 'work', days, 'done', now() - days * interval '1 day' from unnest(array[10, 100]) days`,
      [id],
    );
  }
  await sql(`insert into pushed_states (shop, our_id, written_at)
    select 'shop', 'p' || days, now() - days * interval '1 day' from unnest(array[10, 100]) days`);
  await sql(`insert into images (url_hash, url, state, checked_at)
    select sha256(days::text::bytea), 'p' || days, 'ok', now() - days * interval '1 day' from unnest(array[10, 100]) days`);
  await sql(`insert into key_claims (shop, kind, value, our_id, claimed_at)
    select 'shop', 'sku', 'p' || hours, 'p', now() - hours * interval '1 hour' from unnest(array[10, 100]) hours`);
  for (const [id, days] of [
    [ended, 10],
    [running, 40],
  ] as const) {
    await sql(
      `with plan as (
         insert into previews (import_id, kind, rows_run, made_from, last_edit, started_at)
         values ($1, 'push', $2::integer, '{}', 0, now() - $2::integer * interval '1 day') returning id
       )
       insert into preview_lines (preview, line, action) select id, line, 'created' from plan, generate_series(0, 2) line`,
      [id, days],
    );
  }
  await sql(`insert into ai_answers (hash, answer, used_at)
    select sha256(days::text::bytea), to_json(days), now() - days * interval '1 day' from unnest(array[10, 190]) days`);
  await sql(`insert into ai_calls (products, reserved_in, reserved_out, counts_from)
    select days, 1, 1, now() - days * interval '1 day' from unnest(array[390, 410]) days`);
  await sql(`insert into login_failures (address, failed_at)
    select hours::text, now() - hours * interval '1 hour' from unnest(array[23, 25]) hours`);
  await sql(`insert into audits (differences, ended_at) select '[]', now() from generate_series(1, 35)`);
  while ((await removeOldEntries(stack.database)) > 0);
  const chunks = (id: string) =>
    sql(`select sequence from chunks where import_id = $1 and stage = 'push' order by 1`, [id]);
  expect(await chunks(ended)).toEqual([{ sequence: 10 }]);
  expect(await chunks(running)).toEqual([{ sequence: 10 }, { sequence: 100 }]);
  expect(await sql(`select our_id from pushed_states`)).toEqual([{ our_id: 'p10' }]);
  expect(await sql(`select url from images`)).toEqual([{ url: 'p10' }]);
  expect(await sql(`select value from key_claims`)).toEqual([{ value: 'p10' }]);
  const lines = `select rows_run, count(*)::int as lines from previews join preview_lines on preview = id group by 1`;
  expect(await sql(lines)).toEqual([{ rows_run: 10, lines: 3 }]);
  expect(await sql(`select answer from ai_answers`)).toEqual([{ answer: 10 }]);
  expect(await sql(`select products from ai_calls`)).toEqual([{ products: 390 }]);
  expect(await sql(`select address from login_failures`)).toEqual([{ address: '23' }]);
  expect(await sql(`select count(*)::int as audits from audits`)).toEqual([{ audits: 30 }]);
});
