import {
  type Db,
  isBusy,
  isDatabaseUnavailable,
  type OpenDatabase,
} from '@draftshelf/core/connection/database';
import { noteDeaths } from '@draftshelf/core/work/deaths';
import {
  claimTask,
  completeTask,
  failTask,
  type HeldTask,
  lockTask,
  makePeriodicDue,
  releaseTask,
  renewTasks,
  TaskLost,
} from '@draftshelf/core/work/leased-tasks';
import type { TaskProgress } from '@draftshelf/core/work/tasks';
import { deathsMax, lostSentence } from '@draftshelf/domain/work/deaths';
import type { KindsAt, LeasedKind, TaskPlace } from '@draftshelf/domain/work/leased-tasks';
import type { Logger } from '@draftshelf/runtime/logger';
import { loop } from './loop.ts';

/** A task is due for at most this long before a process looks for it; `wake` is faster. */
const lookEveryMs = 1_000;
/** Leases are renewed this often, so that it also takes at most this long to notice a lost one. */
const renewEveryMsMax = 3_000;
/** A task that Postgres could not serve goes on after this pause. */
const busyWaitMs = 5_000;

export type TaskRun = {
  task: HeldTask;
  /** Aborts when the process stops, or another process has the task. */
  signal: AbortSignal;
  /** Locks the task until a transaction ends, so that only its holder stores something. Throws if it was lost. */
  lock(trx: Db): Promise<void>;
};

/** Does the tasks of a kind. It may be killed at any point, and then is called again, perhaps elsewhere. */
export type TaskHandler = {
  /** The subjects that this process can do it for. Absent: all. */
  subjects?: readonly string[];
  /** Does the next part, and returns what is left. */
  run(run: TaskRun): Promise<TaskProgress>;
  /** Stores that a task has failed, in the transaction that ends it. `error`: why. */
  onFailed?(trx: Db, task: HeldTask, error: unknown): Promise<void>;
};

export type TaskHandlers<P extends TaskPlace> = Record<KindsAt<P>, TaskHandler>;

export type TaskRunner = {
  runDue(): Promise<void>;
  start(): void;
  wake(): void;
  /** Aborts what runs and waits until it has ended; other processes go on with it. */
  stop(): Promise<void>;
};

/** A task was lost with its process, or to another one, too often to be tried again. */
class LostTooOften extends Error {}

type Running = { task: HeldTask; lost: AbortController; ended: Promise<void> };

type RunnerOptions = {
  place: TaskPlace;
  /** This process, as it has reported itself; null: it has not, and does not count as the holder of its tasks. */
  processId: string | null;
  handlers: Partial<Record<LeasedKind, TaskHandler>>;
  database: Pick<OpenDatabase, 'db'>;
  logger: Logger;
  /** No lease is longer. */
  leaseMsMax?: number;
};

/** Runs the leased tasks of a process side by side: claims and renews them in Postgres, and stores how they ended. */
export function createTaskRunner(options: RunnerOptions): TaskRunner {
  const { processId, database, logger, leaseMsMax = Number.MAX_SAFE_INTEGER } = options;
  const { db } = database;
  const kinds = Object.keys(options.handlers) as LeasedKind[];
  const served = kinds.map((kind) => ({ kind, subjects: options.handlers[kind]?.subjects ?? null }));
  const stopping = new AbortController();
  const running = new Set<Running>();
  let hasBegun = false;

  const claimDue = async () => {
    if (!hasBegun) await makePeriodicDue(db, served);
    hasBegun = true;
    await noteDeaths(db);
    while (!stopping.signal.aborted) {
      const task = await claimTask(db, served, leaseMsMax, processId);
      if (!task) return;
      begin(task);
    }
  };
  const begin = (task: HeldTask) => {
    for (const other of running) if (other.task.id === task.id) other.lost.abort(new TaskLost(other.task));
    const lost = new AbortController();
    const entry: Running = { task, lost, ended: Promise.resolve() };
    running.add(entry);
    entry.ended = runTask(task, lost.signal, options, stopping.signal).finally(() => {
      running.delete(entry);
      looks.wake();
    });
  };
  const renew = async () => {
    const held = [...running];
    if (held.length === 0) return;
    const gone = await renewTasks(
      db,
      held.map(({ task }) => task),
      leaseMsMax,
    );
    for (const { task, lost } of held) if (gone.includes(task)) lost.abort(new TaskLost(task));
  };
  const looks = loop(lookEveryMs, claimDue);
  looks.onError((err) => logger.warn({ err }, 'Looking for tasks failed and is tried again'));
  const renewals = loop(Math.min(renewEveryMsMax, leaseMsMax / 6), renew);
  renewals.onError((err) => logger.warn({ err }, 'Leases of tasks could not be renewed; it is tried again'));
  const allEnded = async () => {
    while (running.size > 0) await Promise.all([...running].map(({ ended }) => ended));
  };
  return {
    async runDue() {
      renewals.start();
      await claimDue();
      await allEnded();
      await renewals.stop();
    },
    start() {
      renewals.start();
      looks.start();
    },
    wake: looks.wake,
    async stop() {
      stopping.abort(new Error('The process stops'));
      await looks.stop();
      await allEnded();
      await renewals.stop();
    },
  };
}

/** Never throws. */
async function runTask(
  task: HeldTask,
  lost: AbortSignal,
  options: RunnerOptions,
  stopping: AbortSignal,
): Promise<void> {
  const { database, logger } = options;
  const { db } = database;
  const handler = options.handlers[task.kind];
  const run = { task, signal: AbortSignal.any([stopping, lost]), lock: (trx: Db) => lockTask(trx, task) };
  const names = { task: task.kind, subject: task.subject };
  try {
    if (task.lost >= deathsMax) throw new LostTooOften(lostSentence(options.place));
    let progress: TaskProgress = 'more';
    while (handler && progress === 'more' && !run.signal.aborted) progress = await handler.run(run);
    if (progress === 'done') await completeTask(db, task);
    else if (progress === 'more') await releaseTask(db, task, { waitMs: 0 });
    else await releaseTask(db, task, { waitMs: progress.waitMs ?? busyWaitMs, waitFor: progress.waitFor });
  } catch (error) {
    await endWithError(error).catch((err) =>
      logger.warn({ err, ...names }, 'A task is done again when its lease has ended'),
    );
  }

  async function endWithError(error: unknown): Promise<void> {
    if (error instanceof TaskLost || lost.aborted) {
      return logger.warn({ err: error, ...names }, 'Another process has a task');
    }
    if (stopping.aborted) return releaseTask(db, task, { waitMs: 0 });
    if (isDatabaseUnavailable(error) || isBusy(error)) {
      logger.warn({ err: error, ...names }, 'A task waits for the database');
      return releaseTask(db, task, { waitMs: busyWaitMs, waitFor: 'Waits for the database.' });
    }
    const cause = error instanceof Error ? error.message : String(error);
    const failed = await db.transaction().execute(async (trx) => {
      const isLast = await failTask(trx, task, cause, error instanceof LostTooOften);
      if (isLast) await handler?.onFailed?.(trx, task, error);
      return isLast;
    });
    logger[failed ? 'error' : 'warn'](
      { err: error, ...names },
      failed ? 'A task failed' : 'A task is tried again',
    );
  }
}
