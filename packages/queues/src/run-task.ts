import {
  type Db,
  isBusyError,
  isDatabaseUnavailable,
  type OpenDatabase,
} from '@draftshelf/core/connection/database';
import {
  type ClaimedTask,
  completeTask,
  type ServedTaskKind,
  toBackgroundTask,
} from '@draftshelf/core/work/background-tasks';
import {
  ChunkFenced,
  isChunkHeld,
  lockHeldChunk,
  moveClaim,
  type StartedChunk,
} from '@draftshelf/core/work/claim-chunk';
import type { CallingTask, TaskProgress } from '@draftshelf/core/work/tasks';
import type { BackgroundKind, BackgroundKindsOf, TaskHost } from '@draftshelf/domain/work/task-catalog';
import type { Logger } from '@draftshelf/runtime/logger';
import { ReleaseChunk, RetryLater } from './chunk-errors.ts';
import { isDoneOrThrow, runParts, watchClaim } from './run-parts.ts';

export type TaskRun = {
  task: ClaimedTask;
  /** Aborts when the process stops or loses the task. */
  signal: AbortSignal;
  /** Locks the task until a transaction ends, so that only its holder stores results. Throws if the task was lost. */
  lock(trx: Db): Promise<void>;
};

/** Does the tasks of a kind. A run may be killed at any point, and is then repeated, perhaps in another process. */
export type TaskHandler = {
  /** The subjects that this process serves. Absent if it serves all. */
  subjects?: readonly string[];
  /** Returns, without writing, whether a run has work. If so, or without this function, a due task is published. */
  hasWork?(subject: string): Promise<boolean>;
  /** Does the next part and returns the task's progress. */
  run(run: TaskRun): Promise<TaskProgress>;
  /** Stores the failure of a task, in the transaction that ends it. `error`: the cause. */
  onFailed?(trx: Db, task: ClaimedTask, error: unknown): Promise<void>;
};

export type TaskHandlers<P extends TaskHost> = Record<BackgroundKindsOf<P>, TaskHandler>;

export type ServedHandlers = Partial<Record<BackgroundKind, TaskHandler>>;

export const listServedTaskKinds = (handlers: ServedHandlers): ServedTaskKind[] =>
  (Object.keys(handlers) as BackgroundKind[]).map((kind) => ({
    kind,
    subjects: handlers[kind]?.subjects ?? null,
  }));

type Deps = { database: Pick<OpenDatabase, 'db'>; logger: Logger; signal: AbortSignal };

/** Does a claimed background task until the task has ended or waits, or until the process stops. */
export async function performBackgroundTask(
  chunk: StartedChunk,
  handlers: ServedHandlers,
  { database: { db }, logger, signal }: Deps,
): Promise<void> {
  const task = toBackgroundTask(chunk);
  const handler = handlers[task.kind];
  // The task was published for a process that serves other subjects.
  if (!handler || handler.subjects?.includes(task.subject) === false)
    throw new RetryLater('Waits for a process that does it.');
  const watch = watchClaim(async () => {
    if (!(await isChunkHeld(db, chunk))) throw new ChunkFenced(chunk);
  }, logger);
  const lock = async (trx: Db) => void (await lockHeldChunk(trx, chunk));
  const run = { task, signal: AbortSignal.any([signal, watch.lost]), lock };
  try {
    let isDone = false;
    while (!isDone && !run.signal.aborted) isDone = isDoneOrThrow(await handler.run(run));
    if (!isDone) throw new ReleaseChunk();
    await completeTask(db, task);
  } catch (error) {
    watch.lost.throwIfAborted();
    throw signal.aborted && !(error instanceof RetryLater) ? new ReleaseChunk() : error;
  } finally {
    await watch.end();
  }
}

/** Pause between two attempts to store an answer. */
const busyPauseMs = 200;
/** Time limit of the attempts to store an answer after the process was asked to stop. */
const busyAtStopMsMax = 4_000;
/** Pause of a task whose next call cannot be determined, because rows are locked. */
const busyWaitMs = 1_000;

type CallDeps = {
  database: OpenDatabase;
  /** The connection that holds the claims. It also runs the transactions of all calling tasks. */
  claims: Pick<OpenDatabase, 'db'>;
  logger: Logger;
  signal: AbortSignal;
};

/** Makes the calls of a task and stores their answers, until the task has ended or has used up its time. */
export async function performCalls(chunk: StartedChunk, task: CallingTask, deps: CallDeps): Promise<void> {
  const { db } = deps.claims;
  let current: { call: unknown; off: AbortController } | undefined;
  const watch = watchClaim(async () => {
    // Moves the claim to the open connection. With a closed connection, the worker would count as dead in a sweep.
    await moveClaim(db, chunk);
    const watched = current;
    if (watched && (await task.isOn?.(deps.database.db, chunk, watched.call)) === false) watched.off.abort();
  }, deps.logger);
  const part = async () => {
    const taken = await task.take(db, chunk);
    if (typeof taken !== 'object' || !('call' in taken)) return isDoneOrThrow(taken);
    const { call } = taken;
    const off = new AbortController();
    const signal = AbortSignal.any([deps.signal, watch.lost, off.signal]);
    current = { call, off };
    const answer = await answerOf(task.call(call, signal), signal);
    current = undefined;
    const store = answer && (() => task.store(db, chunk, answer.value));
    const progress = store ? await retryWhileBusy(store, deps.signal, watch.lost) : 'more';
    watch.lost.throwIfAborted();
    return isDoneOrThrow(progress);
  };
  try {
    await runParts(null, part, deps);
  } catch (error) {
    watch.lost.throwIfAborted();
    if (!isBusyError(error)) throw error;
    if (deps.signal.aborted) throw new ReleaseChunk();
    throw new RetryLater('Waits until other changes are stored.', { waitMs: busyWaitMs });
  } finally {
    await watch.end();
  }
}

/**
 * Repeats a short transaction while a lock or a lost connection prevents it. Throws the transaction's error once
 * `ended` has aborted, or a few seconds after `signal` has aborted because the process stops.
 */
export async function retryWhileBusy<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  ended: AbortSignal = signal,
): Promise<T> {
  let stopsAt = Number.POSITIVE_INFINITY;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (ended.aborted || !(isBusyError(error) || isDatabaseUnavailable(error))) throw error;
      if (signal.aborted) stopsAt = Math.min(stopsAt, performance.now() + busyAtStopMsMax);
      if (performance.now() >= stopsAt) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, busyPauseMs));
  }
}

/** Returns the answer of a call, or undefined if the call was aborted without an answer. */
async function answerOf<T>(call: Promise<T>, signal: AbortSignal): Promise<{ value: T } | undefined> {
  try {
    return { value: await call };
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
