import { once } from 'node:events';
import { type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import { lockRows } from '@draftshelf/core/review/rows-lock';
import { markPublished } from '@draftshelf/core/work/chunks';
import { claimChunk, markDone } from '@draftshelf/core/work/claim-chunk';
import { recordHeartbeat } from '@draftshelf/core/work/processes';
import {
  type CallingTask,
  dropTasks,
  enqueueTask,
  listTasks,
  lockPublishableTasks,
} from '@draftshelf/core/work/tasks';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import { chooseQueueConnection } from '@draftshelf/queues/queue-connection';
import { startWorker } from '@draftshelf/queues/start-worker';
import { createLogger } from '@draftshelf/runtime/logger';
import { afterEach, expect } from 'vitest';
import { productCsv, storedImport, until } from '../../support/fixture.ts';
import { gtinOf, startSources, type TestSources } from '../../support/sources.ts';
import { fixture, testOnFixture } from '../../support/test.ts';

/** An enrich worker with its pool. */
type TestWorker = { database: OpenDatabase; stop(): Promise<void> };

let sources: TestSources;
const workers: TestWorker[] = [];
const it = testOnFixture();
it.beforeAll(async () => {
  sources = await startSources();
});
it.afterAll(() => sources.close());
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  await fixture.database.pool.query('truncate imports, processes cascade');
});

const logger = createLogger({ name: 'test', level: 'silent', pretty: false });

/** Runs tasks as an enrich worker with one slot does. */
async function runWorker(tasks: Partial<Record<TaskKind, CallingTask>>): Promise<TestWorker> {
  const { databaseUrl } = fixture;
  const database = openDatabase({ connectionString: databaseUrl, applicationName: 'test-process' });
  const running = await startWorker({
    step: { stage: 'enrich', perform: async () => {}, finalize: async () => true, tasks },
    ...{
      connection: chooseQueueConnection({ databaseUrl }),
      database,
      databaseUrl,
      concurrency: 1,
      retryBaseMs: 1,
    },
    ...{ logger, tallies: createTallies() },
  });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await running.close();
    await database.close();
  };
  const worker = {
    database,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
  workers.push(worker);
  return worker;
}

/** Asks a simulated source that answers after a minute. */
async function askSlowly(code: number, signal: AbortSignal): Promise<number> {
  const url = `${sources.url}/prod/trial/lookup?upc=${gtinOf(code)}`;
  return (await fetch(url, { signal })).status;
}

const begunCalls = async () => (await sources.journal()).length;

/** Takes a call in each part, and ends when it was answered. */
const slowTask = (noted: string[] = []): CallingTask<number, number> => ({
  take: async (_db, chunk) => ({ call: chunk.id }),
  call: askSlowly,
  store: async (db, chunk) => {
    noted.push('stored');
    await markDone(db, chunk);
    return 'done';
  },
});

const enqueue = async (kind: TaskKind): Promise<string> => {
  const { id } = await storedImport(fixture, { csv: productCsv(1), set: { status: 'queued' } });
  await enqueueTask(fixture.database.db, { import_id: id, run: 1 }, kind);
  return id;
};

const stateOf = async (importId: string) => (await listTasks(fixture.database.db, importId))[0]?.state;

it('a call holds no connection and no slot, leaves other services alone, and ends at a request to stop', async () => {
  await sources.behave('upcitemdb', { delayMs: 60_000 });
  const stored: string[] = [];
  const before = await begunCalls();
  const worker = await runWorker({
    'ask-upcitemdb': slowTask(stored),
    'ask-barcode-lookup': { ...slowTask(), call: async () => 200 },
  });
  const slow: string[] = [];
  for (let at = 0; at < 6; at += 1) slow.push(await enqueue('ask-upcitemdb'));
  await until('four calls', async () => (await begunCalls()) === before + 4);

  // Another import's task, of another service, begins and ends although all four calls are under way.
  const other = await enqueue('ask-barcode-lookup');
  await until('the other task has ended', async () => (await stateOf(other)) === undefined);
  expect(await begunCalls()).toBe(before + 4);
  const { pool } = worker.database;
  await until('no connection is in use', () => pool.totalCount === pool.idleCount);
  await until('the connection of the claims is idle', async () => {
    const { rows } = await fixture.database.pool.query(
      `select state from pg_stat_activity
       where datname = current_database() and application_name = 'draftshelf-enrich-claims'`,
    );
    expect(rows).toHaveLength(1);
    return rows[0].state === 'idle';
  });

  await worker.stop();
  // The worker has stopped, and the source has not answered.
  expect((await sources.journal()).slice(before).map(({ answered }) => answered)).toEqual(
    Array.from({ length: 4 }, () => 'nothing'),
  );
  expect(stored).toEqual([]);
  const { rows: chunks } = await fixture.database.pool.query(
    "select state, claims, attempts, not_before from chunks where kind = 'task' and import_id = any($1)",
    [slow],
  );
  const released = { state: 'pending', claims: 0, attempts: 0, not_before: null };
  expect(chunks).toEqual(slow.map(() => released));
});

it('a call ends when its task is ended or its switch is turned off, and what came is stored', async () => {
  await sources.behave('upcitemdb', { delayMs: 60_000 });
  let isOn = true;
  const stored: unknown[] = [];
  const before = await begunCalls();
  let hasEnded = false;
  await runWorker({
    'ask-upcitemdb': {
      ...slowTask(),
      call: (code: number, signal) =>
        askSlowly(code, signal).finally(() => {
          hasEnded = true;
        }),
    } satisfies CallingTask<number, number>,
    'ask-open-products-facts': {
      take: async (db, chunk) => {
        if (isOn) return { call: chunk.id };
        await markDone(db, chunk);
        return 'done';
      },
      call: async (call: number, signal) => {
        const answers = await Promise.allSettled([1, askSlowly(call, signal)]);
        return answers.map(({ status }) => status);
      },
      store: async (_db, _chunk, answers) => {
        stored.push(answers);
        return 'more';
      },
      isOn: async () => isOn,
    } satisfies CallingTask<number, string[]>,
  });
  const dropped = await enqueue('ask-upcitemdb');
  const off = await enqueue('ask-open-products-facts');
  await until('two calls', async () => (await begunCalls()) === before + 2);
  await dropTasks(fixture.database.db, dropped, ['ask-upcitemdb']);
  isOn = false;
  await until('the task that was switched off has ended', async () => (await stateOf(off)) === undefined);
  expect(stored).toEqual([['fulfilled', 'rejected']]);
  // Before the worker stops, which would end the call as well. The journal does not tell when a call ends.
  await until('the call of the task that was ended has ended', () => hasEnded);
  await workers[0]?.stop();
  const { rows } = await fixture.database.pool.query('select state from chunks where import_id = $1', [
    dropped,
  ]);
  expect(rows).toContainEqual({ state: 'dropped' });
});

it('a call whose task another process has taken ends, and its answer is not stored', async () => {
  const { db, pool } = fixture.database;
  const [called, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await runWorker({
    'ask-upcitemdb': {
      ...slowTask(),
      call: async (_call, signal) => {
        called.resolve();
        await once(signal, 'abort');
        ended.resolve();
        return 200;
      },
    } satisfies CallingTask<number, number>,
  });
  const importId = await enqueue('ask-upcitemdb');
  await called.promise;
  const chunk = await db
    .selectFrom('chunks')
    .selectAll()
    .where('import_id', '=', importId)
    .where('kind', '=', 'task')
    .executeTakeFirstOrThrow();
  expect(await claimChunk(db, chunk)).toMatchObject({ id: chunk.id, claims: chunk.claims + 1 });
  await until('the connection of the first claim is closed', async () => {
    const { rows } = await pool.query(
      'select 1 from pg_stat_activity where pid = $1 and backend_start = $2',
      [chunk.claim_pid, chunk.claim_backend_start],
    );
    return rows.length === 0;
  });
  await ended.promise;
  await workers[0]?.stop();
  const { rows } = await pool.query('select claims, attempts, ended_at from chunks where id = $1', [
    chunk.id,
  ]);
  expect(rows).toEqual([{ claims: chunk.claims + 1, attempts: 0, ended_at: null }]);
});

it('a kind has four places in each live process', async () => {
  const { db } = fixture.database;
  const worker = { kind: 'enrich-worker', version: '0', host: 'test', pid: 1, slots: 1 } as const;
  for (let at = 0; at < 9; at += 1) await enqueue('ask-upcitemdb');
  await enqueue('ask-ai');
  await enqueue('apply-rules');
  const publish = () =>
    db.transaction().execute(async (trx) => {
      const chunks = await lockPublishableTasks(trx, 'enrich');
      if (chunks.length > 0) await markPublished(trx, chunks);
      return chunks.map(({ task }) => task);
    });
  await recordHeartbeat(db, { ...worker, id: crypto.randomUUID() });
  const four = Array.from({ length: 4 }, () => 'ask-upcitemdb');
  expect(await publish()).toEqual([...four, 'ask-ai', 'apply-rules']);
  await recordHeartbeat(db, { ...worker, id: crypto.randomUUID() });
  expect(await publish()).toEqual(four);
  expect(await publish()).toEqual([]);
});

it('a store that waits for a lock leaves the connection to other tasks, and keeps its answer', async () => {
  const { pool } = fixture.database;
  const tries: number[] = [];
  const calls = { slow: 0, other: 0 };
  const slow = await enqueue('ask-upcitemdb');
  const locker = await pool.connect();
  const rowsOf = "hashtext('draftshelf rows'), hashtext($1)";
  // A lock of the session: a transaction that is idle would be ended.
  await locker.query(`select pg_advisory_lock(${rowsOf})`, [slow]);
  const answerAtOnce = (kind: keyof typeof calls): CallingTask<number, number> => ({
    ...slowTask(),
    call: async (call) => {
      calls[kind] += 1;
      return call;
    },
  });
  await runWorker({
    'ask-upcitemdb': {
      ...answerAtOnce('slow'),
      store: (db, chunk, answer) =>
        db.transaction().execute(async (trx) => {
          tries.push(answer as number);
          await lockRows(trx, chunk.import_id);
          await markDone(trx, chunk);
          return 'done' as const;
        }),
    },
    'ask-barcode-lookup': answerAtOnce('other'),
  });
  await until('storing was tried again', () => tries.length > 1);
  const other = await enqueue('ask-barcode-lookup');
  await until('the other task has ended', async () => (await stateOf(other)) === undefined);
  expect(await stateOf(slow)).toBe('published');
  await locker.query(`select pg_advisory_unlock(${rowsOf})`, [slow]);
  locker.release();
  await until('the answer is stored', async () => (await stateOf(slow)) === undefined);
  expect(calls).toEqual({ slow: 1, other: 1 });
  expect(new Set(tries).size).toBe(1);
});

it('a lock on the import keeps no outcome of a task from being recorded', async () => {
  const { db, pool } = fixture.database;
  const id = await enqueue('ask-upcitemdb');
  const failed = Promise.withResolvers<void>();
  const locker = await pool.connect();
  await locker.query('set idle_in_transaction_session_timeout = 0');
  await locker.query('begin');
  await locker.query('select 1 from imports where id = $1 for update', [id]);
  await runWorker({
    'ask-upcitemdb': {
      ...slowTask(),
      call: async () => {
        failed.resolve();
        throw new Error('The cause');
      },
    },
  });
  await failed.promise;
  const errors = "select error from chunks where kind = 'task' and import_id = $1";
  try {
    await until('an attempt is recorded although the import is locked', async () => {
      const { rows } = await pool.query(errors, [id]);
      return rows[0].error === 'The cause';
    });
  } finally {
    // Closes the connection, which ends the lock.
    locker.release(true);
  }
  await until('the task is dead', async () => (await stateOf(id)) === 'dead');
  expect(await listTasks(db, id)).toMatchObject([{ error: 'The cause' }]);
});

it('a task that keeps failing is dead with its cause', async () => {
  const { db } = fixture.database;
  const id = await enqueue('ask-upcitemdb');
  let calls = 0;
  await runWorker({
    'ask-upcitemdb': {
      ...slowTask(),
      call: async () => {
        calls += 1;
        throw new Error('The cause');
      },
    },
  });
  await until('the task is dead', async () => (await stateOf(id)) === 'dead');
  expect(await listTasks(db, id)).toMatchObject([{ error: 'The cause' }]);
  expect(calls).toBe(5);
  const { rows } = await fixture.database.pool.query(
    "select attempts, claims from chunks where kind = 'task' and import_id = $1",
    [id],
  );
  expect(rows).toEqual([{ attempts: 5, claims: 5 }]);
});
