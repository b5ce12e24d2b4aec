import { tryLock } from '@draftshelf/core/connection/advisory-lock';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { retryDueImports } from '@draftshelf/core/work/auto-retries';
import { listPossiblyLostTasks } from '@draftshelf/core/work/background-tasks';
import { dropUnwanted, hasSweepWork, listPublished, takeBackChunk } from '@draftshelf/core/work/chunks';
import type { ClaimedChunk } from '@draftshelf/core/work/claim-chunk';
import { recordDeaths } from '@draftshelf/core/work/deaths';
import { resumeDueImports } from '@draftshelf/core/work/import-actions';
import { beginSweep, removeSilentProcesses } from '@draftshelf/core/work/processes';
import type { Stage } from '@draftshelf/domain/imports/stages';
import { findQueue, type QueueName } from '@draftshelf/domain/work/task-catalog';
import pLimit from 'p-limit';
import type { ChunkQueue } from './connection.ts';
import { buildJobId } from './pipeline.ts';
import { listServedTaskKinds, type ServedHandlers } from './run-task.ts';

/** States of a job that was or will be delivered to a worker. */
const alive = new Set(['waiting', 'active', 'delayed', 'prioritized', 'waiting-children']);

/** States of a job that waits for its time or is held by a worker. The worker may be dead. */
const timed = new Set(['active', 'delayed']);

/** Concurrent queries to the queue. */
const asksMax = 16;

type AskedQueue = Pick<ChunkQueue, 'getJobState'>;
type AskedQueues = ReadonlyMap<QueueName, AskedQueue>;

/**
 * Drops chunks of cancelled imports, resumes imports that the store had paused, and retries failed imports if
 * Auto-retry is on. Takes back chunks that the queue lost or that have been without a worker for too long, and returns
 * their number. `processId`: the sweeping process. Only one process sweeps at a time.
 */
export async function sweepOnce(
  database: OpenDatabase,
  queues: AskedQueues,
  { stage, processId, unheld }: { stage: Stage; processId: string; unheld: WatchUnheld },
): Promise<number> {
  // Usually, a sweep has no work. Then neither a transaction nor its eight statements are needed.
  if (!(await hasSweepWork(database.db, stage))) return unheld([]).length;
  const published = await database.db.transaction().execute(async (trx) => {
    if (!(await tryLock(trx, `sweep ${stage}`)) || !(await beginSweep(trx, processId))) return [];
    await dropUnwanted(trx, stage);
    await resumeDueImports(trx);
    await retryDueImports(trx, stage);
    await removeSilentProcesses(trx);
    return listPublished(trx, stage);
  });
  // Runs outside a transaction, because the queue may take longer than Postgres allows a transaction to be idle.
  const lost = await findLost((chunk) => queues.get(findQueue(chunk)), published, unheld);
  return takeBack(database, lost);
}

/**
 * Sweeps the background tasks that this process serves. Usually, nothing has to be repaired or written. A background
 * task is held by its process instead of a connection. If this process holds a task for which `isRunning` is false,
 * the response to the claim was lost.
 */
export async function sweepTasks(
  database: Pick<OpenDatabase, 'db'>,
  open: () => Promise<AskedQueue>,
  own: {
    handlers: ServedHandlers;
    processId: string;
    isRunning: (id: number) => boolean;
    unheld: WatchUnheld;
  },
): Promise<number> {
  await recordDeaths(database.db);
  const tasks = await listPossiblyLostTasks(database.db, listServedTaskKinds(own.handlers), own.processId);
  const published = tasks.filter(({ id }) => !own.isRunning(id));
  if (published.length === 0) return own.unheld([]).length;
  const queue = await open();
  return takeBack(database, await findLost(() => queue, published, own.unheld));
}

async function takeBack({ db }: Pick<OpenDatabase, 'db'>, lost: readonly ClaimedChunk[]): Promise<number> {
  let taken = 0;
  for (const chunk of lost) {
    // The publication is compared, so a chunk stays unchanged if it has ended or was published again.
    if (await takeBackChunk(db, chunk)) taken += 1;
  }
  return taken;
}

/** Returns the chunks that the queue lost. Asks about all chunks before it throws the first error. */
async function findLost<Chunk extends UnheldJob & { isHeld: boolean }>(
  queueFor: (chunk: Chunk) => AskedQueue | undefined,
  published: readonly Chunk[],
  unheld: WatchUnheld,
): Promise<Chunk[]> {
  const limit = pLimit(asksMax);
  const asked = published.map((chunk) =>
    limit(async () => ({
      chunk,
      state: (await queueFor(chunk)?.getJobState(buildJobId(chunk))) ?? 'waiting',
    })),
  );
  await Promise.allSettled(asked);
  const known = await Promise.all(asked);
  const chunksOf = (isIt: (one: (typeof known)[number]) => boolean) =>
    known.filter(isIt).map(({ chunk }) => chunk);
  return [
    ...chunksOf(({ state }) => !alive.has(state)),
    ...unheld(chunksOf(({ chunk, state }) => !chunk.isHeld && timed.has(state))),
  ];
}

/** A published chunk that no live connection holds, although its job is active or delayed. */
type UnheldJob = { id: number; publication: number; claims: number; attempts: number };

/** Returns the jobs that have been without a worker for too long. */
type WatchUnheld = <Job extends UnheldJob>(jobs: readonly Job[]) => Job[];

/**
 * Returns a function that finds jobs that have been without a worker for `msMax`. BullMQ alone would find them late if
 * the clock was set back, because it compares locks and delays with the time of day. `now`: a monotonic clock.
 */
export function watchUnheldJobs(msMax: number, now = () => performance.now()): WatchUnheld {
  let since = new Map<string, number>();
  return (jobs) => {
    const seen = new Map<string, number>();
    const tooLong = jobs.filter(({ id, publication, claims, attempts }) => {
      // A new claim or attempt changes the key, so that the time begins again.
      const key = `${id}-${publication}-${claims}-${attempts}`;
      const first = since.get(key) ?? now();
      seen.set(key, first);
      return now() - first >= msMax;
    });
    since = seen;
    return tooLong;
  };
}
