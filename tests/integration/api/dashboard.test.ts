import { randomUUID } from 'node:crypto';
import type {
  ActivityItem,
  CurrentJob,
  DashboardStats,
  FirstSteps,
  PushedHour,
} from '@draftshelf/contract/operate/dashboard';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { changeImport } from '@draftshelf/core/imports/imports';
import { recordEvent } from '@draftshelf/core/imports/record-event';
import { foldOldCounts } from '@draftshelf/core/operate/dashboard';
import { recordOutcomes } from '@draftshelf/core/push/outcomes';
import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { failImport } from '@draftshelf/core/work/fail-import';
import { finalizePush } from '@draftshelf/core/work/finalize/finalize-push';
import { pushImport, retryImport } from '@draftshelf/core/work/import-actions';
import type { Outcome } from '@draftshelf/domain/imports/outcome';
import { beforeEach, describe, expect } from 'vitest';
import type { TestApi } from '../../support/api.ts';
import { productCsv, storedImport, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const steps = importSteps(() => stack);
const { read } = steps;
let api: TestApi;
test.beforeAll(() => {
  api = stack.api;
});

const reset = () =>
  api.call('POST', '/api/dashboard/reset', { headers: { 'content-type': 'application/json' } });
beforeEach(async () => {
  const { status } = await reset();
  expect(status).toBe(200);
});

/** A read of the dashboard after a write through the api, which makes the api read again. */
async function fresh<T>(path: string): Promise<T> {
  await api.login();
  const { status, body } = await api.call('GET', `/api/dashboard/${path}`);
  expect(status).toBe(200);
  return body as T;
}
const stats = () => fresh<DashboardStats>('stats');
const activity = () => fresh<ActivityItem[]>('activity');
const current = () => fresh<CurrentJob[]>('current');
const pushedHours = () => fresh<PushedHour[]>('pushed');
const undone = () => fresh<{ products: number }>('undone');
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const told = async () => (await activity()).map(({ type, message }) => [type, message]);

/** Uploads a file and waits until it is processed. */
const processed = (csv: string, filename: string) => steps.processed(csv, {}, filename);

/** Begins a push, which no worker does, with these outcomes as its results, and ends it as a worker does. */
async function pushed(id: string, outcomes: readonly Outcome[], begin = pushImport): Promise<void> {
  const { db } = stack.database;
  const begun = await db.transaction().execute((trx) => begin(trx, id, 25));
  if (!begun.ok) throw new Error(begun.reason);
  const { push_run: run, rows_run: rowsRun } = begun.import;
  const results = outcomes.map((outcome, at) => ({
    product: at + 1,
    ourId: `${id}-${at}`,
    outcome,
    code: null,
    message: null,
    storeProductId: null,
    basedOn: new Date(),
  }));
  const record = () =>
    db.transaction().execute((trx) => recordOutcomes(trx, { importId: id, rowsRun, run }, results));
  expect(await record()).toEqual(new Set(results.map(({ product }) => product)));
  // A repetition after a crash changes nothing.
  expect(await record()).toEqual(new Set());
  await changeImport(db, id, { open_chunks: 0 });
  await db
    .updateTable('chunks')
    .set({ state: 'done' })
    .where('import_id', '=', id)
    .where('stage', '=', 'push')
    .execute();
  const chunk = await db
    .insertInto('chunks')
    .values({
      import_id: id,
      stage: 'push',
      run,
      kind: 'finalize',
      task: null,
      sequence: 0,
      state: 'published',
      priority: null,
      byte_from: null,
      byte_to: null,
      first_line: null,
      first_row: null,
      rows: null,
      first_product: null,
      products: null,
      total: null,
      waiting_for: null,
      claim_pid: null,
      error: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await finalizePush(db, chunk, { warn() {} });
}

describe('the counters', () => {
  test('count what happened since the reset, each fact once', async () => {
    const before = await stats();
    expect(before).toEqual({ filesProcessed: 0, productsCreated: 0, inQueue: before.inQueue, errors: 0 });
    const id = await processed(productCsv(4), 'counted.csv');
    expect(await stats()).toEqual({ ...before, filesProcessed: 1, inQueue: before.inQueue + 1 });
    await pushed(id, ['created', 'created', 'skipped', 'failed']);
    expect((await read(id)).status).toBe('completed');
    expect(await stats()).toEqual({
      filesProcessed: 1,
      productsCreated: 2,
      inQueue: before.inQueue,
      errors: 1,
    });
    await pushed(id, ['unchanged', 'updated', 'created', 'failed']);
    expect(await stats()).toMatchObject({ productsCreated: 3, errors: 2 });
  });

  test('count a file once, also when it is re-read', async () => {
    const id = await processed(productCsv(2), 'twice.csv');
    const { db } = stack.database;
    await db.transaction().execute((trx) => beginReread(trx, id, {}));
    await until('re-read', async () => (await read(id)).status === 'processed');
    expect(await stats()).toMatchObject({ filesProcessed: 1, errors: 0 });
    expect(await told()).toEqual([
      ['completed', 'twice.csv was checked: 2 valid products.'],
      ['processing', 'Re-reading twice.csv.'],
      ['completed', 'twice.csv was checked: 2 valid products.'],
      ['processing', 'Processing twice.csv.'],
    ]);
  });

  test('count an import in which everything was skipped as one error, and its rows not', async () => {
    const id = await processed(productCsv(3), 'skipped.csv');
    await pushed(id, ['skipped', 'skipped', 'skipped']);
    expect((await read(id)).status).toBe('failed');
    expect(await stats()).toMatchObject({ productsCreated: 0, errors: 1 });
    await pushed(id, ['failed', 'failed', 'failed'], retryImport);
    expect(await stats()).toMatchObject({ errors: 1 + 3 + 1 });
  });

  test('fold what is too old for the chart, and stay the same', async () => {
    const hours = await pushedHours();
    const id = await processed(productCsv(2), 'old.csv');
    await pushed(id, ['created', 'failed']);
    await stack.database.pool.query(`update hourly_counts set undone = 1 where import_id = '${id}'`);
    const counted = await stats();
    expect(await undone()).toEqual({ products: 1 });
    expect(await pushedHours()).not.toEqual(hours);
    const { db, pool } = stack.database;
    await pool.query(`update hourly_counts set hour = hour - interval '18 days' where import_id = '${id}'`);
    expect(await stats()).toEqual(counted);
    expect(await pushedHours()).toEqual(hours);
    await db.transaction().execute(foldOldCounts);
    const left = await db.selectFrom('hourly_counts').selectAll().where('import_id', '=', id).execute();
    expect(left).toEqual([]);
    expect(await stats()).toEqual(counted);
    expect(await undone()).toEqual({ products: 1 });
    await reset();
    expect(await undone()).toEqual({ products: 0 });
    expect(await stats()).toEqual({
      filesProcessed: 0,
      productsCreated: 0,
      inQueue: counted.inQueue,
      errors: 0,
    });
  });
});

describe('the activity', () => {
  test('tells what happened, newest first, and is empty right after a reset', async () => {
    const id = await processed('Title,Price\nLamp,5\nVase,\n', 'told.csv');
    await api.call('POST', `/api/queue/${id}/ready`);
    await pushed(id, ['created', 'skipped']);
    const all = await activity();
    expect(all.map(({ type, message }) => [type, message])).toEqual([
      ['other', 'told.csv: 1 product uploaded to Shopify, 1 skipped.'],
      ['processing', 'Pushing told.csv to Shopify.'],
      ['completed', 'told.csv was marked as ready for Shopify.'],
      ['other', 'told.csv needs your review: 1 valid, 1 warning.'],
      ['processing', 'Processing told.csv.'],
    ]);
    expect(new Set(all.map(({ id: itemId }) => itemId)).size).toBe(all.length);
    for (const item of all) {
      expect(item).toMatchObject({
        id: expect.anything(),
        createdAt: expect.stringMatching(isoTime),
        importId: id,
      });
    }
    await reset();
    expect(await activity()).toEqual([]);
    expect((await read(id)).status).toBe('completed');
  });

  test('tells actions and failures of an import that no worker touches', async () => {
    const { id } = await storedImport(stack, {
      csv: productCsv(1),
      filename: 'moved.csv',
      set: { open_chunks: 9 },
    });
    await stack.database.db.deleteFrom('chunks').where('import_id', '=', id).execute();
    for (const action of ['pause', 'resume']) await api.call('POST', `/api/queue/${id}/${action}`);
    expect(await failImport(stack.database.db, id, 'parse', 'Nothing could be read.')).toBe(true);
    expect(await told()).toEqual([
      ['error', 'moved.csv failed: Nothing could be read.'],
      ['processing', 'moved.csv was resumed.'],
      ['other', 'moved.csv was paused.'],
    ]);
    expect(await stats()).toMatchObject({ errors: 1 });
  });

  test('keeps the newest 50 entries, also when many are written at once', async () => {
    const record = await read(await processed(productCsv(1), 'many.csv'));
    const { db } = stack.database;
    await Promise.all(
      Array.from({ length: 120 }, () =>
        db.transaction().execute((trx) => recordEvent(trx, 'resumed', record)),
      ),
    );
    await recordEvent(db, 'paused', record);
    const all = await activity();
    expect([all.length, all[0]?.message]).toEqual([50, 'many.csv was paused.']);
    const { rowCount } = await stack.database.pool.query('select 1 from activity');
    expect(rowCount).toBe(50);
  });
});

describe('Current Processing', () => {
  test('has every import that has not ended, and what ended within the last minute', async () => {
    const { db } = stack.database;
    await db.deleteFrom('imports').execute();
    const statuses = [
      'queued',
      'processed',
      'uploading',
      'paused',
      'completed',
      'failed',
      'cancelled',
    ] as const;
    const add = (status: ImportRecord['status'], secondsAgo: number) =>
      storedImport(stack, {
        csv: productCsv(1),
        filename: `${status} ${secondsAgo}.csv`,
        set: { status, completed_at: new Date(Date.now() - secondsAgo * 1000) },
      });
    for (const status of statuses) for (const secondsAgo of [5, 120]) await add(status, secondsAgo);
    const shown = (await current()).map(({ filename, status }) => [filename, status]);
    expect(shown).toEqual([
      ['failed 5.csv', 'error'],
      ['completed 5.csv', 'completed'],
      ['paused 120.csv', 'paused'],
      ['paused 5.csv', 'paused'],
      ['uploading 120.csv', 'uploading'],
      ['uploading 5.csv', 'uploading'],
      ['processed 120.csv', 'processed'],
      ['processed 5.csv', 'processed'],
      ['queued 120.csv', 'queued'],
      ['queued 5.csv', 'queued'],
    ]);
    expect((await stats()).inQueue).toBe(8);
    expect((await current())[0]).toMatchObject({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      filename: 'failed 5.csv',
      status: 'error',
      progress: 0,
      processedProducts: 0,
      totalProducts: 1,
    });
  });
});

describe('what pushes did', () => {
  test('is summed by hour over all imports, and survives a reset', async () => {
    await stack.database.pool.query(`delete from hourly_counts where hour > '-infinity'`);
    const first = await processed(productCsv(3), 'first.csv');
    const second = await processed(productCsv(2), 'second.csv');
    await pushed(first, ['created', 'updated', 'failed']);
    await pushed(second, ['created', 'skipped']);
    await stack.database.pool.query(
      `insert into hourly_counts (hour, import_id, created) values
        (date_trunc('hour', now(), 'UTC') - interval '3 days', $1, 7),
        (date_trunc('hour', now(), 'UTC') - interval '20 days', $1, 9)`,
      [randomUUID()],
    );
    await reset();
    const hours = await pushedHours();
    const counts = hours.map(({ hour: _hour, ...outcomes }) => outcomes);
    expect(counts[0]).toEqual({ created: 7, updated: 0, unchanged: 0, skipped: 0, failed: 0, undone: 0 });
    const sum = (key: Outcome) => counts.slice(1).reduce((total, one) => total + one[key], 0);
    expect([sum('created'), sum('updated'), sum('skipped'), sum('failed')]).toEqual([2, 1, 1, 1]);
  });
});

test.each(['stats', 'activity', 'current', 'pushed'])(
  '%s is answered with 304 until it changes',
  async (path) => {
    const first = await api.call('GET', `/api/dashboard/${path}`);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect(headers['if-none-match']).not.toBe('');
    expect((await api.call('GET', `/api/dashboard/${path}`, { headers })).status).toBe(304);
    const id = await processed(productCsv(1), `${path}.csv`);
    await pushed(id, ['created']);
    await reset();
    await stack.database.db.transaction().execute(async (trx) => recordEvent(trx, 'failed', await read(id)));
    await api.login();
    expect((await api.call('GET', `/api/dashboard/${path}`, { headers })).status).toBe(200);
  },
);

test('the dashboard needs a session', async () => {
  for (const path of ['stats', 'activity', 'current', 'pushed']) {
    expect((await fetch(`${api.url}/api/dashboard/${path}`)).status).toBe(401);
  }
  expect((await fetch(`${api.url}/api/dashboard/reset`, { method: 'POST' })).status).toBe(401);
});

test('the first steps are known from what was done', async () => {
  const steps = () => fresh<FirstSteps>('first-steps');
  const id = await processed('Title,Price\nVase,5\nBowl,\n', 'steps.csv');
  expect(await steps()).toMatchObject({ uploaded: true, waiting: { id, problems: 1 } });
  const { status } = await api.call('PATCH', `/api/queue/${id}/rows/2`, { body: { values: { price: '5' } } });
  expect(status).toBe(200);
  expect(await steps()).toMatchObject({ fixed: true, waiting: { id, problems: 0 } });
  const listing = { shop: 'first-steps.myshopify.com', our_id: 'first-steps', pushed_at: new Date() };
  await stack.database.db.insertInto('listings').values(listing).execute();
  expect(await steps()).toMatchObject({ pushed: true });
});
