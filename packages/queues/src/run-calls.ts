import { isBusy, isDatabaseUnavailable, type OpenDatabase } from '@draftshelf/core/connection/database';
import { ChunkFenced, moveClaim, type StartedChunk } from '@draftshelf/core/work/claim-chunk';
import type { CallingTask } from '@draftshelf/core/work/tasks';
import type { Logger } from '@draftshelf/runtime/logger';
import { ReleaseChunk, RetryLater } from './chunk-errors.ts';
import { loop } from './loop.ts';
import { hasEnded, inParts } from './run-parts.ts';

/** A call ends at most this long after its switch was turned off, or its claim lost. */
const watchEveryMs = 2_000;
/** Answers that cannot be stored yet are kept, and stored after this pause … */
const busyPauseMs = 200;
/** … and while the process stops, for this long. */
const busyAtStopMsMax = 4_000;
/** A task that cannot take its next call because of a lock waits this long. */
const busyWaitMs = 1_000;

type Deps = {
  database: OpenDatabase;
  /** The connection that holds the claims, and runs the transactions of all calling tasks. */
  claims: Pick<OpenDatabase, 'db'>;
  logger: Logger;
  signal: AbortSignal;
};

/** Takes, makes and stores a task's calls until it has ended or gives its place to others. */
export async function performCalls(chunk: StartedChunk, task: CallingTask, deps: Deps): Promise<void> {
  const { db } = deps.claims;
  const watch = watchClaim(chunk, task, deps);
  const part = async () => {
    const taken = await task.take(db, chunk);
    if (typeof taken !== 'object' || !('call' in taken)) return hasEnded(taken);
    const { call } = taken;
    const answer = await watch.during(call, (signal) => answerOf(task.call(call, signal), signal));
    const store = answer && (() => task.store(db, chunk, answer.value));
    const progress = store ? await whileBusy(store, deps.signal, watch.lost) : 'more';
    watch.lost.throwIfAborted();
    return hasEnded(progress);
  };
  try {
    await inParts(null, part, deps);
  } catch (error) {
    watch.lost.throwIfAborted();
    if (!isBusy(error)) throw error;
    if (deps.signal.aborted) throw new ReleaseChunk();
    throw new RetryLater('Waits until other changes are stored.', { waitMs: busyWaitMs });
  } finally {
    await watch.end();
  }
}

/**
 * Watches a claim until `end`. `lost`: another process has the task, or it was ended. The signal of `during` also
 * aborts when the process stops or the call's switch is turned off.
 */
function watchClaim(chunk: StartedChunk, task: CallingTask, { database, claims, logger, signal }: Deps) {
  const lost = new AbortController();
  let current: { call: unknown; off: AbortController } | undefined;
  const looks = loop(watchEveryMs, async () => {
    // The connection may be a new one. The sweep takes back a task whose connection is closed.
    await moveClaim(claims.db, chunk).catch((error) => {
      if (!(error instanceof ChunkFenced)) throw error;
      lost.abort(error);
    });
    const watched = current;
    if (watched && (await task.isOn?.(database.db, chunk, watched.call)) === false) watched.off.abort();
  });
  looks.onError((err) => logger.warn({ err }, 'A claim could not be watched; the next look tries again'));
  looks.start();
  return {
    end: looks.stop,
    lost: lost.signal,
    async during<T>(call: unknown, make: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const off = new AbortController();
      current = { call, off };
      try {
        return await make(AbortSignal.any([signal, lost.signal, off.signal]));
      } finally {
        current = undefined;
      }
    },
  };
}

/**
 * Repeats short transactions while a lock or a lost connection prevents them. Throws their error when `ended` has
 * aborted, or a few seconds after `signal` has, because the process stops.
 */
export async function whileBusy<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  ended: AbortSignal = signal,
): Promise<T> {
  let stopsAt = Number.POSITIVE_INFINITY;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (ended.aborted || !(isBusy(error) || isDatabaseUnavailable(error))) throw error;
      if (signal.aborted) stopsAt = Math.min(stopsAt, performance.now() + busyAtStopMsMax);
      if (performance.now() >= stopsAt) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, busyPauseMs));
  }
}

/** The answer of a call; undefined if it was aborted without one. */
async function answerOf<T>(call: Promise<T>, signal: AbortSignal): Promise<{ value: T } | undefined> {
  try {
    return { value: await call };
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
