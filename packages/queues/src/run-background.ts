import {
  type Db,
  isBusy,
  isDatabaseUnavailable,
  type OpenDatabase,
} from '@draftshelf/core/connection/database';
import {
  claimTask,
  completeTask,
  failBackgroundTask,
  type HeldTask,
  listOpenTasks,
  makePeriodicDue,
  releaseTask,
} from '@draftshelf/core/work/background-tasks';
import { ChunkFenced, type ClaimedChunk, lockHeld } from '@draftshelf/core/work/claim-chunk';
import { noteDeaths } from '@draftshelf/core/work/deaths';
import type { TaskProgress } from '@draftshelf/core/work/tasks';
import type { BackgroundKind, KindsAt, TaskPlace } from '@draftshelf/domain/work/task-catalog';
import type { Logger } from '@draftshelf/runtime/logger';
import { CannotSucceed } from './chunk-errors.ts';
import { checkClaimLimit, messageOf } from './chunk-outcome.ts';
import { loop } from './loop.ts';

/** A task is due for at most this long before a process looks for it; `wake` is faster. */
const lookEveryMs = 1_000;
/** It takes at most this long to notice that another process has a task. */
const watchEveryMs = 2_000;
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

type Running = { task: HeldTask; lost: AbortController; ended: Promise<void> };

type RunnerOptions = {
  place: TaskPlace;
  /** This process, as it has reported itself; null: it has not, and does not count as the holder of its tasks. */
  processId: string | null;
  handlers: Partial<Record<BackgroundKind, TaskHandler>>;
  database: Pick<OpenDatabase, 'db'>;
  logger: Logger;
};

/** Does the background tasks of a process side by side: claims them in Postgres, and stores how they ended. */
export function createTaskRunner(options: RunnerOptions): TaskRunner {
  const { processId, database, logger } = options;
  const { db } = database;
  const kinds = Object.keys(options.handlers) as BackgroundKind[];
  const served = kinds.map((kind) => ({ kind, subjects: options.handlers[kind]?.subjects ?? null }));
  const stopping = new AbortController();
  const running = new Set<Running>();
  let hasBegun = false;

  const claimFree = async () => {
    if (!hasBegun) await makePeriodicDue(db, served);
    hasBegun = true;
    await noteDeaths(db);
    const own = new Set([...running].map(({ task }) => task.id));
    for (const open of await listOpenTasks(db, served)) {
      if (stopping.signal.aborted) return;
      // The answer to its claim or its end was lost with a connection.
      const isOwn = open.state === 'published' && processId !== null && open.held_by === processId;
      const isFree = isOwn ? !own.has(open.id) : open.isFree;
      const task = isFree ? await claimTask(db, open, processId) : undefined;
      if (task) begin(task);
    }
  };
  const begin = (task: HeldTask) => {
    for (const other of running) if (other.task.id === task.id) other.lost.abort(new ChunkFenced(other.task));
    const lost = new AbortController();
    const entry: Running = { task, lost, ended: Promise.resolve() };
    running.add(entry);
    entry.ended = runTask(task, lost.signal, options, stopping.signal).finally(() => {
      running.delete(entry);
      looks.wake();
    });
  };
  const watchClaims = async () => {
    const held = [...running];
    const open = held.length === 0 ? [] : await listOpenTasks(db, served);
    for (const { task, lost } of held) {
      const isSame = ({ id, publication, claims }: ClaimedChunk) =>
        id === task.id && publication === task.publication && claims === task.claims;
      if (!open.some(isSame)) lost.abort(new ChunkFenced(task));
    }
  };
  const looks = loop(lookEveryMs, claimFree);
  looks.onError((err) => logger.warn({ err }, 'Looking for tasks failed and is tried again'));
  const watch = loop(watchEveryMs, watchClaims);
  watch.onError((err) =>
    logger.warn({ err }, 'Claims of tasks could not be watched; the next look tries again'),
  );
  const allEnded = async () => {
    while (running.size > 0) await Promise.all([...running].map(({ ended }) => ended));
  };
  return {
    async runDue() {
      watch.start();
      await claimFree();
      await allEnded();
      await watch.stop();
    },
    start() {
      watch.start();
      looks.start();
    },
    wake: looks.wake,
    async stop() {
      stopping.abort(new Error('The process stops'));
      await looks.stop();
      await allEnded();
      await watch.stop();
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
  const lock = async (trx: Db) => void (await lockHeld(trx, task));
  const run = { task, signal: AbortSignal.any([stopping, lost]), lock };
  const names = { task: task.kind, subject: task.subject };
  try {
    await checkClaimLimit(db, task, options.place);
    let progress: TaskProgress = 'more';
    while (handler && progress === 'more' && !run.signal.aborted) progress = await handler.run(run);
    if (progress === 'done') await completeTask(db, task);
    else if (progress === 'more') await releaseTask(db, task, { waitMs: 0 });
    else await releaseTask(db, task, { waitMs: progress.waitMs ?? busyWaitMs, waitFor: progress.waitFor });
  } catch (error) {
    await endWithError(error).catch((err) => logger.warn({ err, ...names }, 'A task is done again'));
  }

  async function endWithError(error: unknown): Promise<void> {
    if (error instanceof ChunkFenced || lost.aborted) {
      return logger.warn({ err: error, ...names }, 'Another process has a task');
    }
    if (stopping.aborted) return releaseTask(db, task, { waitMs: 0 });
    if (isDatabaseUnavailable(error) || isBusy(error)) {
      logger.warn({ err: error, ...names }, 'A task waits for the database');
      return releaseTask(db, task, { waitMs: busyWaitMs, waitFor: 'Waits for the database.' });
    }
    const failed = await db.transaction().execute(async (trx) => {
      const isLast = await failBackgroundTask(trx, task, messageOf(error), error instanceof CannotSucceed);
      if (isLast) await handler?.onFailed?.(trx, task, error);
      return isLast;
    });
    logger[failed ? 'error' : 'warn'](
      { err: error, ...names },
      failed ? 'A task failed' : 'A task is tried again',
    );
  }
}
