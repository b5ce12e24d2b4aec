import { dropUnwanted, listPublished, unpublish } from '@draftshelf/database/chunks/chunks';
import { beginSweep, removeSilentProcesses } from '@draftshelf/database/chunks/processes';
import { resumeDue, tryLock } from '@draftshelf/database/chunks/repair';
import type { OpenDatabase } from '@draftshelf/database/connection/database';
import type { Stage } from '@draftshelf/domain/import-status';
import pLimit from 'p-limit';
import type { ChunkQueue } from './connection.ts';
import { jobIdOf } from './pipeline.ts';

/** Job states in which the queue still means to hand a job to a worker, or has. */
const alive = new Set(['waiting', 'active', 'delayed', 'prioritized', 'waiting-children']);

/** How many chunks the queue is asked about at a time. */
const asksMax = 16;

/**
 * Repairs a stage: chunks of cancelled imports are dropped; imports paused by the store go on when it is time; what
 * Postgres holds as published and the queue has lost, failed or finished is published anew under another number.
 * `processId`: which process sweeps; one does at a time. Answers how many chunks it took back.
 */
export async function sweepOnce(
  database: OpenDatabase,
  queue: Pick<ChunkQueue, 'getJobState'>,
  { stage, processId }: { stage: Stage; processId: string },
): Promise<number> {
  const published = await database.db.transaction().execute(async (trx) => {
    if (!(await tryLock(trx, `sweep ${stage}`)) || !(await beginSweep(trx, processId))) return [];
    await dropUnwanted(trx, stage);
    await resumeDue(trx);
    await removeSilentProcesses(trx);
    return listPublished(trx, stage);
  });
  // Outside of any transaction: a queue that is slow or away may be silent for longer than Postgres lets one be.
  const lost = await findLost(queue, published);
  let taken = 0;
  for (const chunk of lost) {
    // Guarded by the publication: a chunk that has ended or was published anew meanwhile stays as it is.
    if (await unpublish(database.db, chunk)) taken += 1;
  }
  return taken;
}

/** Those of the chunks that the queue no longer means to hand out. Throws only after it was asked about all. */
async function findLost(
  queue: Pick<ChunkQueue, 'getJobState'>,
  published: Awaited<ReturnType<typeof listPublished>>,
) {
  const limit = pLimit(asksMax);
  const asked = await Promise.allSettled(
    published.map((chunk) =>
      limit(async () => ({ chunk, isLost: !alive.has(await queue.getJobState(jobIdOf(chunk))) })),
    ),
  );
  return asked.flatMap((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value.isLost ? [answer.value.chunk] : [];
  });
}
