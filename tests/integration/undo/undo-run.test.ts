import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { cancelImport, pauseImport } from '@draftshelf/core/work/import-actions';
import { afterEach, expect } from 'vitest';
import { productCsv, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';
import { undoSteps } from '../../support/undo-steps.ts';

const it = testOnWorkers(pushers);
const { read, reach, push, resume, retry, importOf } = pushSteps(() => stack);
const { preview, begin, ended, undo, readUndo, expectAudited, effects } = undoSteps(() => stack);

afterEach(() => stack.store.clearFaults());

const cancel = (id: string) => stack.database.db.transaction().execute((trx) => cancelImport(trx, id));
const pause = (id: string) => stack.database.db.transaction().execute((trx) => pauseImport(trx, id));
const pushed = async (products: number, key: string) => {
  const { id } = await importOf(productCsv(products), key.repeat(64));
  await push(id);
  await reach(id, 'completed');
  return id;
};
const deletions = async () => (await stack.store.stats()).requests.productDelete ?? 0;
const slowDeletes = () =>
  stack.store.fault({ kind: 'delay', delayMs: 1500, operation: 'productDelete', times: 200 });
const someUndone = (id: string) =>
  until('some products are undone', async () => Object.keys((await readUndo(id)).results).length > 0);
/** A product that the store has refused waits for its next call. */
const nobodyHasAPart = () =>
  until('no part is held by a worker', async () => {
    const { rows } = await stack.database.pool.query('select 1 from chunks where claim_pid is not null');
    return rows.length === 0;
  });
const nothingIsSent = async () =>
  expect((await stack.database.pool.query('select 1 from listings where sending is not null')).rows).toEqual(
    [],
  );

it.runIf(isLong)('an undo is paused, resumed and cancelled; a second one does what it has left', async () => {
  const before = await stack.store.products();
  const id = await pushed(60, 'b');
  const sent = await deletions();
  await slowDeletes();
  // Some are left however late the pause comes, and the cancel finds something to leave.
  await stack.store.fault({ kind: 'throttled', operation: 'productDelete', after: 20, times: 10_000 });
  await preview(id);
  await begin(id);
  await someUndone(id);
  const refused = await stack.api.call('POST', `/api/queue/${id}/push`);
  expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('being undone') } });
  expect(await stack.api.call('GET', `/api/queue/${id}?rows=0`)).toMatchObject({
    body: { job: { status: 'uploading', isUndoing: true } },
  });
  await pause(id);
  expect((await stack.api.call('GET', `/api/queue/${id}/push-undo`)).body).toMatchObject({ state: 'paused' });
  await nobodyHasAPart();
  const asked = await deletions();
  await resume(id);
  await until('more products are asked for', async () => (await deletions()) > asked);
  await cancel(id);
  await ended(id);
  await stack.store.clearFaults();
  await nobodyHasAPart();
  const { status, created } = await read(id);
  expect(status).toBe('processed');
  expect(await stack.store.products()).toHaveLength(before.length + created);
  expect((await stack.api.call('GET', `/api/queue/${id}/push-undo`)).body).toMatchObject({
    state: 'stopped',
  });
  await expectAudited(id);

  expect(await undo(id)).toHaveLength(created);
  expect(await stack.store.products()).toEqual(before);
  expect(await deletions()).toBeGreaterThanOrEqual(sent + 60);
  expect(await effects(id)).toHaveLength(60);
  expect(await read(id)).toMatchObject({ status: 'processed', created: 0 });
  await expectAudited(id);
});

it.runIf(isLong)('a cancelled push is undone, with a product whose answer was lost', async () => {
  const before = await stack.store.products();
  const { id } = await importOf(productCsv(40), 'd'.repeat(64));
  await stack.store.fault({ kind: 'delay', delayMs: 400, operation: 'productSet', times: 100 });
  await stack.store.fault({ kind: 'drop-after', operation: 'productSet', every: 3, times: 1 });
  await push(id);
  await until('some products are pushed', async () => (await read(id)).created > 3);
  await cancel(id);
  await until('the workers have ended', async () => {
    const { rows } = await stack.database.pool.query(
      `select 1 from chunks where import_id = $1 and claim_pid is not null`,
      [id],
    );
    return rows.length === 0;
  });
  await stack.store.clearFaults();
  const inStore = (await stack.store.products()).length - before.length;
  expect(await undo(id)).toHaveLength(inStore);
  expect(await stack.store.products()).toEqual(before);
  expect(await read(id)).toMatchObject({ status: 'processed', created: 0, undoes_run: null });
  await nothingIsSent();
  await expectAudited(id);
});

it.runIf(isLong)('an undo that the store refuses fails, and a retry goes on with it', async () => {
  const before = await stack.store.products();
  const id = await pushed(10, 'e');
  await preview(id);
  await stack.store.fault({ kind: 'unauthorized', operation: 'productDelete', times: 50 });
  await begin(id);
  expect(await reach(id, 'failed')).toMatchObject({ failed_in: 'push', undoes_run: 1 });
  expect((await stack.api.call('GET', `/api/queue/${id}/push-undo`)).body).toMatchObject({ state: 'failed' });
  const body = { run: 99, whenUnsure: 'keep' };
  expect(await stack.api.call('POST', `/api/queue/${id}/push-undo/preview`, { body })).toMatchObject({
    status: 409,
  });
  expect(await read(id)).toMatchObject({ status: 'failed', undoes_run: 1 });
  await stack.store.clearFaults();
  await retry(id);
  expect((await ended(id)).every(({ result }) => result === 'delete')).toBe(true);
  expect(await stack.store.products()).toEqual(before);
  await expectAudited(id);
});

it('a preview that ends while it is read is not taken for one that was stopped', async () => {
  const id = await pushed(3, 'f');
  await preview(id);
  const { pool } = stack.database;
  await pool.query('update previews set previewed_at = null where import_id = $1', [id]);
  await pool.query(
    `insert into chunks (import_id, stage, run, kind, task, sequence, not_before)
     values ($1, 'push', 1, 'task', 'plan-undo', -1, now() + interval '1 hour')`,
    [id],
  );
  const readState = async () =>
    ((await stack.api.call('GET', `/api/queue/${id}/push-undo`)).body as PushUndo).state;
  expect(await readState()).toBe('previewing');
  const worker = await pool.connect();
  try {
    await worker.query('begin; lock table chunks in access exclusive mode');
    const state = readState();
    await until('the reader waits for the task', async () => {
      const { rows } = await pool.query(
        `select 1 from pg_stat_activity
         where application_name = 'draftshelf-api' and datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await worker.query(
      `delete from chunks where import_id = '${id}' and task = 'plan-undo';
       update previews set previewed_at = now() where import_id = '${id}'; commit`,
    );
    expect(await state).toBe('previewing');
  } finally {
    worker.release(true);
  }
  expect(await readState()).toBe('ready');
});
