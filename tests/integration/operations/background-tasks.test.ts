import type { listWork } from '@draftshelf/contract/operate/work';
import type { ReplyOf } from '@draftshelf/contract/route';
import { chunksChannel } from '@draftshelf/core/connection/listen';
import { wakeFolderWorkers } from '@draftshelf/core/folders/sources';
import {
  completeTask,
  isTaskOpen,
  requestTask,
  requestTaskIfIdle,
  revokeTask,
} from '@draftshelf/core/work/background-tasks';
import { ChunkFenced, lockHeldChunk } from '@draftshelf/core/work/claim-chunk';
import {
  type BackgroundKind,
  backgroundCatalog,
  backgroundKinds,
  backgroundTaskOf,
} from '@draftshelf/domain/work/task-catalog';
import type { TaskHandler } from '@draftshelf/queues/run-task';
import { expect } from 'vitest';
import { until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { claimKind, liveProcess, quietRunner } from '../../support/tasks.ts';
import { test } from '../../support/test.ts';

/** The api of these tests does the other kind, and could be faster. */
const allKinds = backgroundKinds.filter((kind) => kind !== 'sync-store');
/** For a runner, kinds differ by whether they are periodic and by their attempts: one of each in the short form. */
const alike = Map.groupBy(allKinds, (kind) => {
  const { everyMs, attemptsMax } = backgroundTaskOf(kind);
  return `${everyMs === undefined} ${attemptsMax}`;
});
const kinds = isLong ? allKinds : [...alike.values()].flatMap((some) => some.slice(0, 1));
const subject = 'a subject';

test.beforeEach(({ fixture }) =>
  fixture.database.pool.query('delete from chunks where subject is not null; truncate processes'),
);

const runnerOf = (
  database: Parameters<typeof quietRunner>[0]['database'],
  kind: BackgroundKind,
  handler: TaskHandler,
  processId?: string,
) => quietRunner({ handlers: { [kind]: handler }, database, ...(processId && { processId }) });

test('a request wakes the processes that do its kind', async ({ fixture: { database } }) => {
  const client = await database.pool.connect();
  const woken: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => woken.push(payload));
  try {
    await client.query(`listen ${chunksChannel}`);
    await wakeFolderWorkers(database.db);
    await requestTask(database.db, 'audit', subject);
    await requestTask(database.db, 'remove-old', subject, 60_000);
    await requestTaskIfIdle(database.db, 'sync-store', subject);
    await until('all are told', () => woken.length >= 3);
    expect(woken).toEqual(['folder-worker', 'parse-worker', 'api']);
  } finally {
    client.release(true);
  }
});

test.for(kinds)('%s: a request during a run lets it run once more', async (kind, { fixture }) => {
  const { database } = fixture;
  await requestTask(database.db, kind, subject);
  let runs = 0;
  const handler: TaskHandler = {
    subjects: [subject],
    async run() {
      runs += 1;
      if (runs === 1) await requestTask(database.db, kind, subject);
      return 'done';
    },
  };
  const runner = runnerOf(database, kind, handler);
  await runner.runDue();
  await runner.runDue();
  await runner.runDue();
  expect(runs).toBe(2);
  expect(await isTaskOpen(database.db, kind, subject)).toBe(backgroundTaskOf(kind).everyMs !== undefined);
});

test.for(kinds)('%s: failures are stored, retried, and given up', async (kind, { fixture, api }) => {
  const { database } = fixture;
  const { attemptsMax = Number.POSITIVE_INFINITY } = backgroundTaskOf(kind);
  await requestTask(database.db, kind, subject);
  const sentenceOf = (error: string) =>
    attemptsMax === 1 ? error : `${error} The task is retried automatically.`;
  const failed: unknown[] = [];
  const runner = runnerOf(database, kind, {
    subjects: [subject],
    run: () => Promise.reject(new Error('It broke.')),
    onFailed: async (_trx, _task, error) => void failed.push(error),
  });
  await runner.runDue();
  expect(failed).toHaveLength(attemptsMax === 1 ? 1 : 0);
  const listed = async () => {
    const { kinds: all, causes } = (await api.call('GET', '/api/system/work')).body as ReplyOf<
      typeof listWork
    >;
    const own = all.find(({ label }) => label === backgroundCatalog[kind].label);
    return { own, causes };
  };
  const found = await listed();
  expect(found.causes).toMatchObject([
    { sentence: sentenceOf('It broke.'), parts: 1, imports: 0, canRetry: 1 },
  ]);
  expect(found.causes[0]?.kinds.join()).toContain(backgroundCatalog[kind].label);
  const act = async (what: string) => {
    const [failure] = (await listed()).causes;
    return api.call('POST', `/api/system/work/${what}`, { body: { cause: failure?.cause ?? 'none' } });
  };
  expect(await act('retry')).toMatchObject({
    status: 200,
    body: { message: 'Retrying 1 background task.' },
  });
  await runner.stop();
  const other = runnerOf(database, kind, {
    subjects: [subject],
    run: () => Promise.reject(new Error('Again.')),
  });
  await other.runDue();
  expect((await listed()).causes).toMatchObject([{ sentence: sentenceOf('Again.') }]);
  expect((await act('give-up')).status).toBe(200);
  expect((await act('give-up')).status).toBe(409);
  const after = await listed();
  expect(after.causes).toEqual([]);
  if (backgroundTaskOf(kind).everyMs === undefined) expect(after.own).toBeUndefined();
  else expect(after.own).toMatchObject({ running: 0 });
});

test('a task without work is not run before it has some', async ({ fixture }) => {
  const { db, pool } = fixture.database;
  await requestTask(db, 'auto-push');
  let [works, runs] = [false, 0];
  const runner = runnerOf(fixture.database, 'auto-push', {
    hasWork: async () => works,
    async run() {
      runs += 1;
      return 'done';
    },
  });
  await runner.runDue();
  works = true;
  await runner.runDue();
  const { rows } = await pool.query(
    'select state, claims, publication, not_before > now() as waits from chunks where subject is not null',
  );
  expect(rows).toEqual([{ state: 'pending', claims: 0, publication: 1, waits: true }]);
  await requestTask(db, 'auto-push');
  await runner.runDue();
  expect(runs).toBe(1);
});

test('a task that runs every few seconds says so, and when it is late', async ({ fixture, api }) => {
  const { db, pool } = fixture.database;
  await requestTask(db, 'take-files', 'local');
  const listed = async () =>
    ((await api.call('GET', '/api/system/work')).body as ReplyOf<typeof listWork>).kinds;
  expect(await listed()).toMatchObject([{ waiting: 0, everySeconds: 5, dueAt: null, oldestAt: null }]);
  await pool.query(`update chunks set not_before = now() - interval '1 minute' where subject is not null`);
  expect(await listed()).toMatchObject([{ waiting: 1, everySeconds: null, oldestAt: expect.any(String) }]);
});

test.for([false, true])(
  'a task that was taken back stores nothing more, and its run is aborted; requested: %s',
  async (isRequested, { fixture }) => {
    const { database } = fixture;
    await requestTask(database.db, 'sign-in', subject);
    const begun = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<unknown>();
    const runner = runnerOf(database, 'sign-in', {
      async run({ signal, lock }) {
        begun.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await database.db.transaction().execute(lock).catch(refused.resolve);
        return 'done';
      },
    });
    const running = runner.runDue();
    await begun.promise;
    if (isRequested) await requestTask(database.db, 'sign-in', subject);
    await revokeTask(database.db, 'sign-in', subject);
    expect(await refused.promise).toBeInstanceOf(ChunkFenced);
    await running;
    expect(await isTaskOpen(database.db, 'sign-in', subject)).toBe(isRequested);
  },
);

test('a task that runs is joined: it is not begun again when it has ended', async ({ fixture }) => {
  const { db } = fixture.database;
  const ends = async () => {
    const task = await claimKind(db, 'sign-in');
    if (!task) throw new Error('The task was not claimed');
    await requestTaskIfIdle(db, 'sign-in', subject);
    await completeTask(db, task);
    return !(await isTaskOpen(db, 'sign-in', subject));
  };
  await requestTaskIfIdle(db, 'sign-in', subject);
  expect(await ends()).toBe(true);
  await requestTaskIfIdle(db, 'sign-in', subject);
  expect(await ends()).toBe(true);
});

test('Postgres away: the task goes on with no attempt counted', async ({ fixture }) => {
  const { database } = fixture;
  const { db, pool } = database;
  await requestTask(db, 'fold-counts');
  let runs = 0;
  const runner = runnerOf(database, 'fold-counts', {
    async run() {
      runs += 1;
      if (runs === 1) throw Object.assign(new Error('Connection terminated unexpectedly'));
      return 'done';
    },
  });
  await runner.runDue();
  const { rows } = await pool.query(
    'select attempts, error, waiting_for, state from chunks where subject is not null',
  );
  expect(rows).toEqual([
    { attempts: 0, error: null, waiting_for: 'Waits for the database.', state: 'pending' },
  ]);
  await pool.query('update chunks set not_before = now() where subject is not null');
  await runner.runDue();
  expect(runs).toBe(2);
});

test('a task of a process that is silent is free, and its late end changes nothing', async ({ fixture }) => {
  const { db, pool } = fixture.database;
  const [one, other] = [await liveProcess(db), await liveProcess(db)];
  await requestTask(db, 'fold-counts');
  const first = await claimKind(db, 'fold-counts', one);
  expect(await claimKind(db, 'fold-counts', other)).toBeUndefined();
  await pool.query(`update processes set seen_at = seen_at - interval '16 s' where id = $1`, [one]);
  const second = await claimKind(db, 'fold-counts', other);
  if (!first || !second) throw new Error('The task was not claimed');
  await completeTask(db, first);
  await lockHeldChunk(db, second);
  await expect(lockHeldChunk(db, first)).rejects.toThrow(ChunkFenced);
  expect(await claimKind(db, 'fold-counts', one)).toBeUndefined();
});

test.for(kinds)(
  '%s: it is done again if the answer to its claim or its end was lost',
  async (kind, { fixture }) => {
    const { database } = fixture;
    const processId = await liveProcess(database.db);
    await requestTask(database.db, kind, subject);
    expect(await claimKind(database.db, kind, processId)).toMatchObject({ claims: 1 });
    let runs = 0;
    const run = async () => {
      runs += 1;
      return 'done' as const;
    };
    await runnerOf(database, kind, { subjects: ['another'], run }, processId).runDue();
    await runnerOf(database, kind, { subjects: [subject], run }, await liveProcess(database.db)).runDue();
    expect(runs).toBe(backgroundTaskOf(kind).everyMs === undefined ? 0 : 1);
    await runnerOf(database, kind, { subjects: [subject], run }, processId).runDue();
    expect(runs).toBe(backgroundTaskOf(kind).everyMs === undefined ? 1 : 2);
  },
);

test.for(kinds)(
  '%s: a request does not keep a task of a killed process after the clock was set back',
  async (kind, { fixture }) => {
    const { db, pool } = fixture.database;
    await requestTask(db, kind, 'local');
    await claimKind(db, kind, await liveProcess(db));
    await pool.query(`update processes set seen_at = seen_at + interval '1 hour'`);
    await requestTask(db, kind, 'local');
    await wakeFolderWorkers(db);
    expect(await claimKind(db, kind)).toMatchObject({ claims: 2 });
  },
);
