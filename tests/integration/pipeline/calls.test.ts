import { randomUUID } from 'node:crypto';
import { type OpenDatabase, openDatabase } from '@draftshelf/core/connection/database';
import { lockRows } from '@draftshelf/core/review/rows-lock';
import { type CallingTask, claimCall, renewClaim } from '@draftshelf/core/work/calls';
import { listPublished } from '@draftshelf/core/work/chunks';
import { markDone } from '@draftshelf/core/work/claim-chunk';
import { reportProcess } from '@draftshelf/core/work/processes';
import { dropTasks, enqueueTask, listTasks, lockPublishableTasks } from '@draftshelf/core/work/tasks';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import { startCalls } from '@draftshelf/queues/run-calls';
import { createLogger } from '@draftshelf/runtime/logger';
import { afterEach, expect } from 'vitest';
import { type Fixture, productCsv, storedImport, until } from '../../support/fixture.ts';
import { gtinOf, startSources, type TestSources } from '../../support/sources.ts';
import { test as it } from '../../support/test.ts';

/** A process's pool and its lane for calls. */
type TestLane = { database: OpenDatabase; wake(): void; stop(): Promise<void> };

let fixture: Fixture;
let sources: TestSources;
const lanes: TestLane[] = [];
it.beforeAll(async ({ fixture: own }) => {
  fixture = own;
  sources = await startSources();
});
it.afterAll(() => sources.close());
afterEach(async () => {
  for (const lane of lanes.splice(0)) await lane.stop();
  await fixture.database.pool.query('truncate imports, processes cascade');
});

const logger = createLogger({ name: 'test', level: 'silent', pretty: false });

/** Runs tasks as an enrich worker does. */
function runLane(calls: Partial<Record<TaskKind, CallingTask>>): TestLane {
  const database = openDatabase({ connectionString: fixture.databaseUrl, applicationName: 'lane-process' });
  const stopping = new AbortController();
  const { databaseUrl } = fixture;
  const options = {
    stage: 'enrich' as const,
    calls,
    database,
    databaseUrl,
    retryBaseMs: 1,
    logger,
    tallies: createTallies(),
    processId: randomUUID(),
  };
  const running = startCalls({ ...options, signal: stopping.signal });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort();
    await running.stop();
    await database.close();
  };
  const lane = {
    database,
    wake: running.wake,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
  lanes.push(lane);
  return lane;
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
  const lane = runLane({
    'ask-upcitemdb': slowTask(stored),
    'ask-barcode-lookup': { ...slowTask(), call: async () => 200 },
  });
  const slow: string[] = [];
  for (let at = 0; at < 6; at += 1) slow.push(await enqueue('ask-upcitemdb'));
  lane.wake();
  await until('four calls', async () => (await begunCalls()) === before + 4);

  // Another import's task, of another service, begins and ends although all four calls are under way.
  const other = await enqueue('ask-barcode-lookup');
  lane.wake();
  await until('the other task has ended', async () => (await stateOf(other)) === undefined);
  expect(await begunCalls()).toBe(before + 4);
  const { pool } = lane.database;
  await until('no connection is in use', () => pool.totalCount === pool.idleCount);
  await until('the one connection of the lane is idle', async () => {
    const { rows } = await fixture.database.pool.query(
      `select state from pg_stat_activity
       where datname = current_database() and application_name = 'draftshelf-enrich-calls'`,
    );
    expect(rows).toHaveLength(1);
    return rows[0].state === 'idle';
  });

  await lane.stop();
  // The lane has stopped, and the source has not answered.
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
  runLane({
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
  // Before the lane stops, which would end the call as well. The journal does not tell when a call ends.
  await until('the call of the task that was ended has ended', () => hasEnded);
  await lanes[0]?.stop();
  const { rows } = await fixture.database.pool.query('select state from chunks where import_id = $1', [
    dropped,
  ]);
  expect(rows).toContainEqual({ state: 'dropped' });
});

it('a task whose process is gone is taken by another one, once, and the first one loses it', async () => {
  const { db, pool } = fixture.database;
  await enqueue('ask-upcitemdb');
  const kinds = ['ask-upcitemdb'] as const;
  const frozen = openDatabase({
    connectionString: fixture.databaseUrl,
    applicationName: 'frozen',
    poolMax: 1,
  });
  const first = await claimCall(frozen.db, 'enrich', kinds);
  if (!first) throw new Error('Nothing was claimed');
  expect(await renewClaim(db, first)).toBe(true);
  expect(await claimCall(db, 'enrich', kinds)).toBeUndefined();
  expect((await listPublished(db, 'enrich')).map(({ id }) => id)).not.toContain(first.id);

  await pool.query("update chunks set not_before = now() - interval '1 second' where id = $1", [first.id]);
  const both = await Promise.all([claimCall(db, 'enrich', kinds), claimCall(db, 'enrich', kinds)]);
  expect(both.filter((claim) => claim !== undefined)).toMatchObject([
    { id: first.id, claims: first.claims + 1, publication: first.publication + 1 },
  ]);
  expect(await renewClaim(db, first)).toBe(false);
  await until('the connection of the first claim is closed', async () => {
    const { rows } = await pool.query("select 1 from pg_stat_activity where application_name = 'frozen'");
    return rows.length === 0;
  });
  await frozen.close();
});

it('a store that waits for a lock leaves the lane to other tasks, and keeps its answer', async () => {
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
  const lane = runLane({
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
  lane.wake();
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
  runLane({
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

it('a task that keeps failing is dead with its cause; no queue gets it', async () => {
  const { db } = fixture.database;
  const worker = { kind: 'enrich-worker', version: '0', host: 'test', pid: 1, slots: 8 } as const;
  await reportProcess(db, { ...worker, id: crypto.randomUUID() });
  const id = await enqueue('ask-upcitemdb');
  expect(await db.transaction().execute((trx) => lockPublishableTasks(trx, 'enrich'))).toEqual([]);
  let calls = 0;
  runLane({
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
