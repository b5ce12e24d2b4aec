import { dropUnwanted, listPublished, unpublish } from '@draftshelf/database/chunks';
import type { OpenDatabase } from '@draftshelf/database/connect';
import { resumeDue, takeTurn } from '@draftshelf/database/sweep';
import type { Stage } from '@draftshelf/domain/import-status';
import type { ChunkQueue } from './connection.ts';
import { jobIdOf } from './pipeline.ts';

/** Job states in which the queue still means to hand a job to a worker, or has. */
const alive = new Set(['waiting', 'active', 'delayed', 'prioritized', 'waiting-children']);

/**
 * Repairs a stage: chunks of cancelled imports are dropped; imports paused by the store go on when it is time; what
 * Postgres holds as published and the queue has lost, failed or finished is published anew under another number.
 * One sweeper at a time; answers how many chunks it took back.
 */
export async function sweepOnce(database: OpenDatabase, queue: ChunkQueue, stage: Stage): Promise<number> {
  await database.db.transaction().execute(async (trx) => {
    if (!(await takeTurn(trx, `sweep ${stage}`))) return;
    await dropUnwanted(trx, stage);
    await resumeDue(trx);
  });
  // In a transaction of its own: a queue that is away may be silent for long, and no import is locked meanwhile.
  return database.db.transaction().execute(async (trx) => {
    if (!(await takeTurn(trx, `look ${stage}`))) return 0;
    let taken = 0;
    for (const chunk of await listPublished(trx, stage)) {
      if (alive.has(await queue.getJobState(jobIdOf(chunk)))) continue;
      if (await unpublish(trx, chunk)) taken += 1;
    }
    return taken;
  });
}
