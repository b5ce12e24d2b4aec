import { randomUUID } from 'node:crypto';
import { findImport } from '@draftshelf/core/imports/imports';
import { dropUnwanted, lockPublishableChunks, markPublished } from '@draftshelf/core/work/chunks';
import { claimChunk, releaseChunk } from '@draftshelf/core/work/claim-chunk';
import { recordHeartbeat, removeProcess } from '@draftshelf/core/work/processes';
import {
  enqueueForAllInReview,
  enqueueTask,
  listTasks,
  lockPublishableTasks,
  storeTaskProgress,
  type TaskPartHandler,
} from '@draftshelf/core/work/tasks';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import { runChunk } from '@draftshelf/queues/run-chunk';
import { createLogger } from '@draftshelf/runtime/logger';
import { afterEach, expect } from 'vitest';
import { productCsv, storedImport } from '../../support/fixture.ts';
import { fixture, testOnFixture } from '../../support/test.ts';

const it = testOnFixture();
afterEach(() => fixture.database.pool.query('truncate imports, processes cascade'));

const logger = createLogger({ name: 'test', level: 'silent', pretty: false });

const importIn = (status: 'processing' | 'queued' | 'paused' | 'cancelled') =>
  storedImport(fixture, { csv: productCsv(2), set: { status } });

const taskOf = (id: string) =>
  enqueueTask(fixture.database.db, { import_id: id, run: 1 }, 'find-in-imports', 2);

/** A live parse worker, according to Postgres. */
async function liveWorker(slots: number): Promise<string> {
  const id = randomUUID();
  const worker = { kind: 'parse-worker', version: '0', host: 'test', pid: 1 } as const;
  await recordHeartbeat(fixture.database.db, { id, ...worker, slots });
  return id;
}

/** What a relay publishes, without a queue. */
const publishTasks = () =>
  fixture.database.db.transaction().execute(async (trx) => {
    const chunks = await lockPublishableTasks(trx, 'parse');
    if (chunks.length > 0) await markPublished(trx, chunks);
    return chunks;
  });

async function release(chunk: { id: number; publication: number }): Promise<void> {
  const claimed = await claimChunk(fixture.database.db, chunk);
  if (!claimed) throw new Error('not claimed');
  await releaseChunk(fixture.database.db, claimed);
}

/** Publishes the open task and runs it once, as a worker does; returns what BullMQ would see. */
async function runTask(
  step: TaskPartHandler,
  publication: number,
  kind = 'find-in-imports',
): Promise<unknown> {
  const [{ id } = { id: 0 }] = await fixture.database.db
    .selectFrom('chunks')
    .select('id')
    .where('kind', '=', 'task')
    .execute();
  const stage = {
    stage: 'parse' as const,
    perform: async () => {},
    finalize: async () => true,
    tasks: { [kind]: step },
  };
  const deps = {
    ...{ database: fixture.database, logger, tallies: createTallies() },
    signal: new AbortController().signal,
  };
  return runChunk({ chunkId: id, publication }, stage, deps).catch((error: unknown) => error);
}

it('tasks are published whatever the status of their import, and not dropped when it is cancelled', async () => {
  const { db } = fixture.database;
  await liveWorker(8);
  const ids: string[] = [];
  for (const status of ['queued', 'paused', 'cancelled', 'processing'] as const) {
    const { id } = await importIn(status);
    ids.push(id);
    await taskOf(id);
  }
  await dropUnwanted(db, 'parse');
  const published = await publishTasks();
  expect(published.map(({ import_id, priority }) => [import_id, priority])).toEqual(ids.map((id) => [id, 2]));
});

it('tasks take at most every second slot, and alternate', async () => {
  const { db } = fixture.database;
  const id = await liveWorker(4);
  const imports = [await importIn('queued'), await importIn('queued'), await importIn('queued')];
  for (const record of imports) await taskOf(record.id);
  const [first, second, third] = imports.map((record) => record.id);
  const published = await publishTasks();
  expect(published.map(({ import_id }) => import_id)).toEqual([first, second]);
  expect(await publishTasks()).toEqual([]);
  for (const chunk of published) await release(chunk);
  expect((await publishTasks()).map(({ import_id }) => import_id)).toEqual([third, first]);
  await removeProcess(db, id);
});

it('tasks leave the first place in the queue to the chunks of their import', async () => {
  const { db } = fixture.database;
  await liveWorker(4);
  const { id } = await importIn('processing');
  await taskOf(id);
  await publishTasks();
  const published = await db.transaction().execute((trx) => lockPublishableChunks(trx, 'parse'));
  expect(published.map(({ kind, priority }) => [kind, priority])).toEqual([['work', 1]]);
});

it('tasks that wait show what for, and leave their import as it is', async () => {
  const { db } = fixture.database;
  const before = await importIn('queued');
  await taskOf(before.id);
  expect(await runTask(async () => ({ waitFor: 'Waiting for a reason.' }), 1)).toBeUndefined();
  expect(await listTasks(db, before.id)).toMatchObject([
    { state: 'pending', waiting_for: 'Waiting for a reason.' },
  ]);
  const { version, ...after } = (await findImport(db, before.id)) ?? {};
  expect({ ...after, version: before.version }).toEqual(before);
  expect(version).toBeGreaterThan(before.version);
});

it('tasks that keep failing are dead with their cause, and leave their import as it is', async () => {
  const { db } = fixture.database;
  const before = await importIn('queued');
  await taskOf(before.id);
  const fail = async () => {
    throw new Error('The cause');
  };
  for (let attempt = 1; attempt <= 5; attempt += 1) expect(await runTask(fail, 1)).toBeInstanceOf(Error);
  expect(await listTasks(db, before.id)).toMatchObject([{ state: 'dead', error: 'The cause' }]);
  const { version, ...after } = (await findImport(db, before.id)) ?? {};
  expect({ ...after, version: before.version }).toEqual(before);
  expect(version).toBeGreaterThan(before.version);
  let ran = false;
  await runTask(async () => {
    ran = true;
    return 'done';
  }, 1);
  expect(ran).toBe(false);
});

it('a task whose workers are killed is dead only if it makes no progress', async () => {
  const { db, pool } = fixture.database;
  const { id } = await importIn('queued');
  await taskOf(id);
  const progress: TaskPartHandler = async (_, chunk) => {
    await storeTaskProgress(db, chunk, chunk.done + 1);
    return { waitFor: 'Waiting for the next part.', waitMs: 0 };
  };
  for (let killed = 0; killed < 3; killed += 1) {
    // The claims of workers that were killed, up to the limit.
    await pool.query('update chunks set claims = claims + 9 where import_id = $1 and task is not null', [id]);
    expect(await runTask(progress, killed + 1)).toBeUndefined();
  }
  expect(await listTasks(db, id)).toMatchObject([{ state: 'pending', done: 3 }]);
  await pool.query('update chunks set claims = claims + 12 where import_id = $1 and task is not null', [id]);
  expect(await runTask(progress, 4)).toBeInstanceOf(Error);
  expect(await listTasks(db, id)).toMatchObject([{ state: 'dead' }]);
});

it('a task that only another version knows waits', async () => {
  const { db } = fixture.database;
  await liveWorker(8);
  const { id } = await importIn('queued');
  const inserted = await db
    .insertInto('chunks')
    .values({
      ...{ import_id: id, stage: 'parse', run: 1, kind: 'task', sequence: -1 },
      task: 'weigh-products' as 'find-in-imports',
    })
    .returning(['id', 'publication', 'priority'])
    .executeTakeFirstOrThrow();
  await markPublished(db, [inserted]);
  await runTask(async () => 'done', inserted.publication);
  const { rows } = await fixture.database.pool.query(
    'select state, publication, attempts, waiting_for from chunks where id = $1',
    [inserted.id],
  );
  expect(rows).toEqual([
    { state: 'pending', publication: 2, attempts: 0, waiting_for: 'Waits for a version that knows it.' },
  ]);
  let ran = false;
  await runTask(
    async () => {
      ran = true;
      return 'more';
    },
    2,
    'weigh-products',
  );
  expect(ran).toBe(true);
});

it('a task that begins anew replaces the one that is under way, and one that has not begun stays', async () => {
  const { db, pool } = fixture.database;
  const [{ id }, processing] = [await importIn('queued'), await importIn('processing')];
  const tasks = async (of: string) => {
    const { rows } = await pool.query(
      "select done, state from chunks where task = 'apply-rules' and import_id = $1 order by id",
      [of],
    );
    return rows;
  };
  const fresh = { done: 0, state: 'pending' };
  await enqueueForAllInReview(db, 'apply-rules');
  await enqueueForAllInReview(db, 'apply-rules');
  expect([await tasks(id), await tasks(processing.id)]).toEqual([[fresh], []]);
  for (const state of ['pending', 'published']) {
    await pool.query("update chunks set state = $1, done = 1 where kind = 'task' and done = 0", [state]);
    await enqueueForAllInReview(db, 'apply-rules');
  }
  const replaced = { done: 1, state: 'dropped' };
  expect(await tasks(id)).toEqual([replaced, replaced, fresh]);
});
