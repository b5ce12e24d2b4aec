import {
  isBusy,
  isDatabaseUnavailable,
  type OpenDatabase,
  openDatabase,
} from '@draftshelf/core/connection/database';
import { changeImport } from '@draftshelf/core/imports/imports';
import { type CallingTask, claimCall, renewClaim } from '@draftshelf/core/work/calls';
import { ChunkFenced, deferChunk, type StartedChunk } from '@draftshelf/core/work/claim-chunk';
import type { Stage } from '@draftshelf/domain/imports/stages';
import type { Tallies } from '@draftshelf/domain/operate/tallies';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import type { Logger } from '@draftshelf/runtime/logger';
import { ReleaseChunk, RetryLater } from './chunk-errors.ts';
import { checkClaimLimit, recordError } from './chunk-outcome.ts';
import { loop } from './loop.ts';
import { hasEnded, inParts } from './run-parts.ts';

/** Tasks of a kind that one process does at once: a slow service holds only the places of its own kind. */
const placesPerKind = 4;
/** NOTIFY wakes the lane; it also looks at least this often. */
const lookEveryMs = 1_000;
/** A call ends at most this long after its switch was turned off, or its claim lost. */
const watchEveryMs = 2_000;
/** After this a lock wait gives the connection to other tasks: all together wait less than the pool's 10 s. */
const lockMsMax = 500;
/** Answers that cannot be stored yet are kept, and stored after this pause … */
const busyPauseMs = 200;
/** … and while the process stops, for this long. */
const busyAtStopMsMax = 4_000;
/** A task that cannot take its next call because of a lock waits this long. */
const busyWaitMs = 1_000;

type LaneOptions = {
  stage: Stage;
  calls: Partial<Record<TaskKind, CallingTask>>;
  database: OpenDatabase;
  databaseUrl: string;
  /** Pause after a task's first failed attempt; it doubles with each further one. */
  retryBaseMs: number;
  logger: Logger;
  tallies: Tallies;
  /** As this process has reported itself. */
  processId: string;
  signal: AbortSignal;
};

/** `connection`: a pool of one connection, which holds the claims and runs the transactions of all the lane's tasks. */
type Lane = LaneOptions & { connection: OpenDatabase };

/**
 * Claims a stage's tasks for the lane for calls from Postgres, without a queue, and does them beside the stage's
 * slots. After an abort, `stop` waits until all have ended and closes the lane's connection.
 */
export function startCalls(options: LaneOptions): { wake(): void; stop(): Promise<void> } {
  const connection = openDatabase({
    connectionString: options.databaseUrl,
    applicationName: `draftshelf-${options.stage}-calls`,
    poolMax: 1,
    keepIdle: true,
    lockMsMax,
  });
  const lane: Lane = { ...options, connection };
  const kinds = Object.keys(options.calls) as TaskKind[];
  const running = new Map<Promise<void>, TaskKind | null>();
  const freeKinds = () => {
    const taken = [...running.values()];
    return kinds.filter((kind) => taken.filter((other) => other === kind).length < placesPerKind);
  };
  const looks = loop(lookEveryMs, async () => {
    for (let free = freeKinds(); free.length > 0 && !options.signal.aborted; free = freeKinds()) {
      const chunk = await claimCall(connection.db, options.stage, free, options.processId);
      if (!chunk) return;
      const run = runCall(chunk, lane).finally(() => {
        running.delete(run);
        looks.wake();
      });
      running.set(run, chunk.task);
    }
  });
  looks.onError((error) => options.logger.warn({ err: error }, 'The lane for calls failed and will retry'));
  looks.start();
  return {
    wake: looks.wake,
    async stop() {
      await looks.stop();
      await Promise.all(running.keys());
      await connection.close();
    },
  };
}

/** Never throws. */
async function runCall(chunk: StartedChunk, lane: Lane): Promise<void> {
  const { calls, connection, logger } = lane;
  const task = chunk.task === null ? undefined : calls[chunk.task];
  const watch = watchClaim(chunk, task, lane);
  try {
    await checkClaimLimit(connection.db, chunk);
    if (!task) throw new Error(`No task of the lane has the kind ${chunk.task}`);
    await performCalls(chunk, task, watch, lane);
  } catch (error) {
    await recordOutcome(error, chunk, lane);
  } finally {
    await watch.end();
  }
  // Screens show the progress. Parts never lock the import, so not in their transaction. A stop does not wait for it.
  await whileBusy(() => changeImport(connection.db, chunk.import_id, {}), lane, lane.signal).catch((err) => {
    logger.warn({ err, chunkId: chunk.id }, 'Screens show the progress of a task later');
  });
}

/** Never throws. */
async function recordOutcome(error: unknown, chunk: StartedChunk, lane: Lane): Promise<void> {
  const { database, logger, retryBaseMs } = lane;
  try {
    if ((await recordError(error, chunk, lane)) !== 'again') return;
    const waitMs = retryBaseMs * 2 ** chunk.attempts;
    const cause = 'It failed, and is tried again.';
    await deferChunk(database.db, chunk, { cause, waitMs, isAttempt: true });
  } catch (err) {
    logger.warn({ err, chunkId: chunk.id }, 'A task is taken again when its claim has ended');
  }
}

async function performCalls(chunk: StartedChunk, task: CallingTask, watch: Watch, lane: Lane): Promise<void> {
  const { db } = lane.connection;
  const part = async () => {
    const taken = await task.take(db, chunk);
    if (typeof taken !== 'object' || !('call' in taken)) return hasEnded(taken);
    const { call } = taken;
    const answer = await watch.during(call, (signal) => answerOf(task.call(call, signal), signal));
    const store = answer && (() => task.store(db, chunk, answer.value));
    const progress = store ? await whileBusy(store, lane, watch.lost) : 'more';
    watch.lost.throwIfAborted();
    return hasEnded(progress);
  };
  try {
    await inParts(chunk, part, lane);
  } catch (error) {
    watch.lost.throwIfAborted();
    if (!isBusy(error)) throw error;
    if (lane.signal.aborted) throw new ReleaseChunk();
    throw new RetryLater('Waits until other changes are stored.', { waitMs: busyWaitMs });
  }
}

type Watch = ReturnType<typeof watchClaim>;

/**
 * Renews a claim until `end`. `lost`: another process has the task, or it was ended. The signal of `during` also
 * aborts when the process stops or the call's switch is turned off.
 */
function watchClaim(chunk: StartedChunk, task: CallingTask | undefined, lane: Lane) {
  const lost = new AbortController();
  let current: { call: unknown; off: AbortController } | undefined;
  // On the process's pool: a long transaction of another task does not keep a claim from being renewed.
  const renewals = loop(watchEveryMs, async () => {
    if (!(await renewClaim(lane.database.db, chunk))) return lost.abort(new ChunkFenced(chunk));
    const watched = current;
    if (watched && (await task?.isOn?.(lane.database.db, chunk, watched.call)) === false) watched.off.abort();
  });
  renewals.onError((err) =>
    lane.logger.warn({ err }, 'A claim could not be renewed; it is renewed at the next look'),
  );
  renewals.start();
  return {
    end: renewals.stop,
    lost: lost.signal,
    async during<T>(call: unknown, make: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const off = new AbortController();
      current = { call, off };
      try {
        return await make(AbortSignal.any([lane.signal, lost.signal, off.signal]));
      } finally {
        current = undefined;
      }
    },
  };
}

/**
 * Repeats short transactions while a lock or a lost connection prevents them. Throws their error when `ended` has
 * aborted, or a few seconds after the process was asked to stop.
 */
async function whileBusy<T>(
  work: () => Promise<T>,
  { signal }: Pick<Lane, 'signal'>,
  ended: AbortSignal,
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
