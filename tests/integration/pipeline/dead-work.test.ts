import type { DeadWorkPage } from '@draftshelf/contract/operate/dead-work';
import type { listWork } from '@draftshelf/contract/operate/work';
import type { ReplyOf } from '@draftshelf/contract/route';
import { findImport } from '@draftshelf/core/imports/imports';
import { readHealthFacts } from '@draftshelf/core/operate/conditions/health-facts';
import { countOpenChunks } from '@draftshelf/core/operate/conditions/stored-metrics';
import { enqueueTask } from '@draftshelf/core/work/tasks';
import { factWindows } from '@draftshelf/domain/operate/conditions';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import { expect } from 'vitest';
import { type Fixture, productCsv, storedImport } from '../../support/fixture.ts';
import { recordedEvent } from '../../support/recorded-events.ts';
import { test } from '../../support/test.ts';

const page = async (api: { call: (method: 'GET', path: string) => Promise<{ body: unknown }> }, query = '') =>
  (await api.call('GET', `/api/system/dead-work${query}`)).body as DeadWorkPage;

/** An import that failed because its chunk is dead. */
async function failed(fixture: Fixture, filename: string, error = 'Cannot read it') {
  const { id } = await storedImport(fixture, { csv: productCsv(3), filename });
  const { pool } = fixture.database;
  await pool.query(
    `update chunks set state = 'dead', attempts = 5, error = $2, ended_at = now() where import_id = $1`,
    [id, error],
  );
  await pool.query(
    `with changed as (update imports set status = 'failed' where id = $1)
       update runs set failed_in = 'parse', open_chunks = 0 where import_id = $1 and stage = 'parse'`,
    [id],
  );
  return id;
}

async function deadTask(fixture: Fixture, importId: string, task: TaskKind, run = 1): Promise<number> {
  const { db, pool } = fixture.database;
  await enqueueTask(db, { import_id: importId, run }, task);
  const { rows } = await pool.query<{ id: number }>(
    `update chunks set state = 'dead', error = 'broken', attempts = 5, ended_at = now()
     where import_id = $1 and task = $2 and state = 'pending' returning id`,
    [importId, task],
  );
  return Number(rows[0]?.id);
}

const stateOf = async (fixture: Fixture, id: number) =>
  (await fixture.database.db.selectFrom('chunks').select('state').where('id', '=', id).executeTakeFirst())
    ?.state;

test.beforeEach(async ({ fixture }) => {
  await fixture.database.pool.query('delete from imports');
});

test('a dead chunk is listed with its cause, and Retry continues its import', async ({ fixture, api }) => {
  const id = await failed(fixture, 'vases.csv');
  expect(await page(api)).toMatchObject({
    total: 1,
    isMore: false,
    next: null,
    items: [
      {
        ...{
          importId: id,
          filename: 'vases.csv',
          stage: 'parse',
          part: 'Rows 1–3',
          isTask: false,
          attempts: 5,
        },
        cause: 'It failed 5 times because of an internal error.',
        ...{ technical: 'Cannot read it', canRetry: true, without: null },
      },
    ],
  });
  const retry = () => api.call('POST', `/api/system/dead-work/${id}/retry`);
  expect(await retry()).toMatchObject({ status: 200, body: { message: 'Retrying import.' } });
  expect(await findImport(fixture.database.db, id)).toMatchObject({ status: 'processing', open_chunks: 1 });
  expect((await page(api)).items).toEqual([]);
  expect(await retry()).toMatchObject({ status: 409, body: { message: 'No failed work is left.' } });
});

test('Give Up cancels a failed import and ends its dead tasks', async ({ fixture, api }) => {
  const id = await failed(fixture, 'vases.csv');
  const task = await deadTask(fixture, id, 'remove-rows');
  expect((await page(api)).items).toHaveLength(2);
  const giveUp = await api.call('POST', `/api/system/dead-work/${id}/give-up`);
  expect(giveUp).toMatchObject({ status: 200, body: { message: 'Import cancelled.' } });
  const event = { client: '127.0.0.1', detail: null, import_id: id };
  expect(await recordedEvent(fixture.database.pool, 'work-given-up')).toMatchObject(event);
  expect(await findImport(fixture.database.db, id)).toMatchObject({ status: 'cancelled', failed_in: null });
  expect(await stateOf(fixture, task)).toBe('dropped');
  expect((await page(api)).items).toEqual([]);
});

test('while other parts are processed, an import is retried later but can be given up', async ({
  fixture,
  api,
}) => {
  const id = await failed(fixture, 'vases.csv');
  await fixture.database.pool.query(
    `with changed as (update imports set status = 'processing' where id = $1)
       update runs set open_chunks = 1 where import_id = $1 and stage = 'parse'`,
    [id],
  );
  expect((await page(api)).items).toMatchObject([{ canRetry: false }]);
  const { status, body } = await api.call('POST', `/api/system/dead-work/${id}/retry`);
  expect({ status, body }).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('still being') },
  });
  expect((await api.call('POST', `/api/system/dead-work/${id}/give-up`)).status).toBe(200);
});

test('tasks are retried or given up one by one, and their import stays', async ({ fixture, api }) => {
  const { id } = await storedImport(fixture, { csv: productCsv(3), set: { status: 'processed' } });
  const [search, rules] = [
    await deadTask(fixture, id, 'find-in-imports'),
    await deadTask(fixture, id, 'apply-rules'),
  ];
  const replaced = await deadTask(fixture, id, 'find-in-imports', 2);
  // A part of a stage that was repeated.
  const { db, pool } = fixture.database;
  await pool.query(
    `update chunks set state = 'dead', ended_at = now() where import_id = $1 and kind = 'work'`,
    [id],
  );
  expect((await page(api)).items).toMatchObject([
    { id: rules, part: 'Applying rules', without: 'Your rules aren’t applied to this import.' },
    { id: search, part: 'Comparing with other imports', isTask: true, canRetry: true },
  ]);
  // Conditions and metrics count what is listed.
  expect(await readHealthFacts(db, factWindows)).toMatchObject({ dead: 2 });
  expect(await readHealthFacts(db, { ...factWindows, deadMs: -60_000 })).toMatchObject({ dead: 0 });
  const dead = (await countOpenChunks(db)).filter(({ state, count }) => state === 'dead' && count > 0);
  expect(dead.map(({ kind, count }) => [kind, count])).toEqual([
    ['task', 1],
    ['task', 1],
  ]);
  const giveUp = (task: number) => api.call('POST', `/api/system/dead-work/${id}/tasks/${task}/give-up`);
  expect(await giveUp(rules)).toMatchObject({ status: 200, body: { message: 'Task given up.' } });
  expect(await giveUp(rules)).toMatchObject({ status: 409 });
  expect((await api.call('POST', `/api/system/dead-work/${id}/retry`)).status).toBe(200);
  const states = await Promise.all([search, rules, replaced].map((task) => stateOf(fixture, task)));
  expect(states).toEqual(['pending', 'dropped', 'dead']);
  expect(await findImport(fixture.database.db, id)).toMatchObject({ status: 'processed' });
});

test('a task that was begun again meanwhile ends; one of the AI is not retried', async ({ fixture, api }) => {
  const { id } = await storedImport(fixture, { csv: productCsv(3), set: { status: 'processed' } });
  const search = await deadTask(fixture, id, 'find-in-imports');
  const asking = await deadTask(fixture, id, 'ask-ai');
  await enqueueTask(fixture.database.db, { import_id: id, run: 1 }, 'find-in-imports');
  expect((await page(api)).items).toMatchObject([{ id: asking, canRetry: false }, { id: search }]);
  expect((await api.call('POST', `/api/system/dead-work/${id}/retry`)).status).toBe(200);
  expect(await stateOf(fixture, search)).toBe('dropped');
  expect(await stateOf(fixture, asking)).toBe('dead');
});

test('10,000 dead chunks are read in pages that do not repeat one', async ({ fixture, api }) => {
  const id = await failed(fixture, 'large.csv');
  await fixture.database.pool.query(
    `insert into chunks (import_id, stage, run, kind, sequence, state, attempts, error, first_row, rows)
     select $1, 'parse', 1, 'work', n, 'dead', 5, 'broken', n, 1 from generate_series(1, 10004) n`,
    [id],
  );
  const first = await page(api);
  expect(first).toMatchObject({ total: 1_000, isMore: true });
  const second = await page(api, `?before=${first.next}`);
  expect([first.items.length, second.items.length]).toEqual([50, 50]);
  expect(second.items[0]?.id).toBe((first.items.at(-1)?.id ?? 0) - 1);
  // The index of dead chunks, not all chunks.
  const { rows } = await fixture.database.pool.query<{ 'QUERY PLAN': string }>(
    `explain select id from chunks where state = 'dead' order by id desc limit 51`,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join()).toContain('chunks_dead');
});

const work = async (api: Parameters<typeof page>[0]) =>
  (await api.call('GET', '/api/system/work')).body as ReplyOf<typeof listWork>;

/** Gives the failures of an import the code of a cause. */
const causedBy = (fixture: Fixture, id: string, cause: string) =>
  fixture.database.pool.query('update chunks set cause = $2 where import_id = $1', [id, cause]);

/** An import whose stage could not continue: none of its chunks is dead. */
async function stopped(fixture: Fixture, filename: string, error: string): Promise<string> {
  const id = await failed(fixture, filename);
  const { pool } = fixture.database;
  await pool.query(
    `update chunks set state = 'pending', error = null, ended_at = null where import_id = $1`,
    [id],
  );
  await pool.query(
    `update runs set error_message = $2, open_chunks = 1 where import_id = $1 and stage = 'parse'`,
    [id, error],
  );
  return id;
}

test('imports that failed for one cause are one line, and one press retries all of them', async ({
  fixture,
  api,
}) => {
  const cause = 'Error 53100';
  const ids = [
    await failed(fixture, 'vases.csv', 'No space'),
    await stopped(fixture, 'bowls.csv', 'No space'),
    await failed(fixture, 'cups.csv', 'No space'),
  ];
  const other = await failed(fixture, 'plates.csv', 'Something else');
  for (const id of ids) await causedBy(fixture, id, cause);
  await causedBy(fixture, other, 'Something else');
  const found = (await work(api)).causes.find((one) => one.cause === cause);
  expect(found).toMatchObject({
    ...{ parts: 3, chunks: 2, imports: 3, canRetry: 3, wornOut: 0, kinds: ['Reading rows'] },
    since: expect.any(String),
  });
  expect(found?.files.map(({ filename }) => filename).sort()).toEqual(['bowls.csv', 'cups.csv', 'vases.csv']);
  expect((await page(api, `?cause=${encodeURIComponent(cause)}`)).items).toHaveLength(2);
  const retry = () => api.call('POST', '/api/system/work/retry', { body: { cause } });
  expect(await retry()).toMatchObject({ status: 200, body: { message: 'Retrying 3 imports.' } });
  const { db, pool } = fixture.database;
  for (const id of ids)
    expect(await findImport(db, id)).toMatchObject({ status: 'processing', open_chunks: 1 });
  expect(await findImport(db, other)).toMatchObject({ status: 'failed' });
  expect(await recordedEvent(pool, 'work-retried')).toMatchObject({ detail: `3 imports: ${cause}` });
  const { rows } = await pool.query('select distinct retries from chunks where import_id = any($1)', [ids]);
  expect(rows).toEqual([{ retries: 1 }]);
  expect(await retry()).toMatchObject({ status: 409 });
});

test('what has failed after five retries is not retried with the others, but alone', async ({
  fixture,
  api,
}) => {
  const [worn, fresh] = [await failed(fixture, 'worn.csv'), await failed(fixture, 'fresh.csv')];
  await fixture.database.pool.query(`update chunks set cause = 'one'`);
  await fixture.database.pool.query('update chunks set retries = 5 where import_id = $1', [worn]);
  expect((await work(api)).causes).toMatchObject([{ cause: 'one', imports: 2, canRetry: 1, wornOut: 1 }]);
  const { body } = await api.call('POST', '/api/system/work/retry', { body: { cause: 'one' } });
  expect(body).toMatchObject({ message: 'Retrying 1 import.' });
  const { db } = fixture.database;
  expect(await findImport(db, fresh)).toMatchObject({ status: 'processing' });
  expect(await findImport(db, worn)).toMatchObject({ status: 'failed' });
  expect((await api.call('POST', `/api/system/dead-work/${worn}/retry`)).status).toBe(200);
});

test('Give Up of a cause cancels imports with failed parts and ends single tasks', async ({
  fixture,
  api,
}) => {
  const parts = await failed(fixture, 'parts.csv');
  const { id: whole } = await storedImport(fixture, { csv: productCsv(3), set: { status: 'processed' } });
  const ended = await deadTask(fixture, whole, 'apply-rules');
  const { id: half } = await storedImport(fixture, { csv: productCsv(3), set: { status: 'processed' } });
  const kept = await deadTask(fixture, half, 'undo-command');
  for (const id of [parts, whole, half]) await causedBy(fixture, id, 'one');
  expect(await api.call('POST', '/api/system/work/give-up', { body: { cause: 'one' } })).toMatchObject({
    status: 200,
    body: { message: expect.stringMatching(/^Given up: 2 imports\. Refused once: A half-finished undo/) },
  });
  expect(await findImport(fixture.database.db, parts)).toMatchObject({ status: 'cancelled' });
  expect(await Promise.all([stateOf(fixture, ended), stateOf(fixture, kept)])).toEqual(['dropped', 'dead']);
});

test('work is counted by kind: what runs, what waits and since when, and the last minute', async ({
  fixture,
  api,
}) => {
  const { pool } = fixture.database;
  const { id } = await storedImport(fixture, { csv: productCsv(3), set: { status: 'processing' } });
  const { id: paused } = await storedImport(fixture, { csv: productCsv(3), set: { status: 'paused' } });
  await pool.query(`update chunks set state = 'pending', ended_at = null where import_id in ($1, $2)`, [
    id,
    paused,
  ]);
  await pool.query(
    `insert into chunks (import_id, stage, run, kind, sequence, state, claim_pid, ended_at) values
       ($1, 'parse', 1, 'work', 8, 'published', 1, null), ($1, 'parse', 1, 'work', 9, 'done', null, now()), ($1, 'parse', 1, 'work', 10, 'dropped', null, now())`,
    [id],
  );
  await pool.query(
    `update chunks set created_at = '2026-11-01T10:00:00Z' where import_id = $1 and state = 'pending'`,
    [id],
  );
  const kinds = (await work(api)).kinds.filter(({ label }) => label === 'Reading rows');
  expect(kinds).toMatchObject([
    { running: 1, waiting: 1, oldestAt: '2026-11-01T10:00:00.000Z', added: 4, done: 1, subject: null },
  ]);
});

test('dead work needs a session', async ({ api }) => {
  const id = '00000000-0000-4000-8000-000000000001';
  expect((await fetch(`${api.url}/api/system/dead-work`)).status).toBe(401);
  expect((await fetch(`${api.url}/api/system/dead-work/${id}/retry`, { method: 'POST' })).status).toBe(401);
  expect((await api.call('POST', '/api/system/dead-work/not-an-id/give-up')).status).toBe(404);
});
