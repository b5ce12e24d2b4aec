import type { listWork } from '@draftshelf/contract/operate/work';
import type { ReplyOf } from '@draftshelf/contract/route';
import { wakeFolderWorkers } from '@draftshelf/core/folders/sources';
import {
  completeTask,
  isTaskOpen,
  joinTask,
  lockTask,
  renewTasks,
  requestTask,
  revokeTask,
  TaskLost,
} from '@draftshelf/core/work/leased-tasks';
import { type LeasedKind, leasedKinds, leasedTask, leasedTasks } from '@draftshelf/domain/work/leased-tasks';
import type { TaskHandler } from '@draftshelf/queues/run-tasks';
import { expect } from 'vitest';
import { until } from '../../support/fixture.ts';
import { claimKind, quietRunner } from '../../support/tasks.ts';
import { test } from '../../support/test.ts';

/** The api of these tests does the other kind, and could be faster. */
const kinds = leasedKinds.filter((kind) => kind !== 'sync-store');
const subject = 'a subject';

test.beforeEach(({ fixture }) => fixture.database.pool.query('truncate tasks, processes'));

const runnerOf = (
  database: Parameters<typeof quietRunner>[0]['database'],
  kind: LeasedKind,
  handler: TaskHandler,
  leaseMsMax = 30_000,
) => quietRunner({ place: leasedTask(kind).place, handlers: { [kind]: handler }, database, leaseMsMax });

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
  expect(await isTaskOpen(database.db, kind, subject)).toBe(leasedTask(kind).everyMs !== undefined);
});

test.for(kinds)('%s: failures are stored, retried, and given up', async (kind, { fixture, api }) => {
  const { database } = fixture;
  const { attemptsMax = Number.POSITIVE_INFINITY } = leasedTask(kind);
  await requestTask(database.db, kind, subject);
  const sentenceOf = (error: string) => (attemptsMax === 1 ? error : `${error} It is tried again by itself.`);
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
    const own = all.find(({ label }) => label === leasedTasks[kind].label);
    return { own, causes };
  };
  const found = await listed();
  expect(found.causes).toMatchObject([
    { sentence: sentenceOf('It broke.'), parts: 1, imports: 0, canRetry: 1 },
  ]);
  expect(found.causes[0]?.kinds.join()).toContain(leasedTasks[kind].label);
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
  if (leasedTask(kind).everyMs === undefined) expect(after.own).toBeUndefined();
  else expect(after.own).toMatchObject({ running: 0 });
});

test('a task that runs every few seconds says so, and when it is late', async ({ fixture, api }) => {
  const { db, pool } = fixture.database;
  await requestTask(db, 'take-files', 'local');
  const listed = async () =>
    ((await api.call('GET', '/api/system/work')).body as ReplyOf<typeof listWork>).kinds;
  expect(await listed()).toMatchObject([{ waiting: 0, everySeconds: 5, dueAt: null, oldestAt: null }]);
  await pool.query(`update tasks set due_at = now() - interval '1 minute'`);
  expect(await listed()).toMatchObject([{ waiting: 1, everySeconds: null, oldestAt: expect.any(String) }]);
});

test('a task that was taken back stores nothing more, and its run is aborted', async ({ fixture }) => {
  const { database } = fixture;
  await requestTask(database.db, 'sign-in', subject);
  const begun = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<unknown>();
  const runner = runnerOf(
    database,
    'sign-in',
    {
      async run({ signal, lock }) {
        begun.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await database.db.transaction().execute(lock).catch(refused.resolve);
        return 'done';
      },
    },
    600,
  );
  const running = runner.runDue();
  await begun.promise;
  await revokeTask(database.db, 'sign-in', subject);
  expect(await refused.promise).toBeInstanceOf(TaskLost);
  await running;
  expect(await isTaskOpen(database.db, 'sign-in', subject)).toBe(false);
});

test('a task that runs is joined: it is not begun again when it has ended', async ({ fixture }) => {
  const { db } = fixture.database;
  const ends = async () => {
    const task = await claimKind(db, 'sign-in');
    if (!task) throw new Error('The task was not claimed');
    await joinTask(db, 'sign-in', subject);
    await completeTask(db, task);
    return !(await isTaskOpen(db, 'sign-in', subject));
  };
  await joinTask(db, 'sign-in', subject);
  expect(await ends()).toBe(true);
  await joinTask(db, 'sign-in', subject);
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
  const { rows } = await pool.query('select attempts, error, waiting_for, held_until from tasks');
  expect(rows).toEqual([
    { attempts: 0, error: null, waiting_for: 'Waits for the database.', held_until: null },
  ]);
  await pool.query('update tasks set due_at = now()');
  await runner.runDue();
  expect(runs).toBe(2);
});

test('a lease that ended is not prolonged by a clock that was set back, and the late end changes nothing', async ({
  fixture,
}) => {
  const { db, pool } = fixture.database;
  await requestTask(db, 'fold-counts');
  const first = await claimKind(db, 'fold-counts');
  await pool.query(
    `update tasks set held_until = held_until + interval '1 hour', changed_at = now() + interval '1 hour'`,
  );
  const second = await claimKind(db, 'fold-counts');
  if (!first || !second) throw new Error('The task was not claimed');
  await completeTask(db, first);
  await lockTask(db, second);
  await expect(lockTask(db, first)).rejects.toThrow(TaskLost);
  await until('the task is held', async () => (await claimKind(db, 'fold-counts')) === undefined);
});

test.for(kinds)(
  '%s: a request does not prolong the lease of a killed process after the clock was set back',
  async (kind, { fixture }) => {
    const { db, pool } = fixture.database;
    await requestTask(db, kind, 'local');
    await claimKind(db, kind);
    await pool.query(
      `update tasks set held_until = held_until + interval '1 hour', changed_at = now() + interval '1 hour'`,
    );
    await requestTask(db, kind, 'local');
    await wakeFolderWorkers(db);
    expect(await claimKind(db, kind)).toMatchObject({ claims: 2 });
  },
);

test('a renewal that comes after the end of a run does not hold the task again', async ({ fixture }) => {
  const { db } = fixture.database;
  await requestTask(db, 'sign-in', subject);
  const task = await claimKind(db, 'sign-in');
  if (!task) throw new Error('Nothing was due');
  await completeTask(db, task);
  expect(await renewTasks(db, [task], 30_000)).toEqual([]);
  expect(await isTaskOpen(db, 'sign-in', subject)).toBe(false);
});
