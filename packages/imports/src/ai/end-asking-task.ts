import { removeWantedAsks } from '@draftshelf/database/ai/ai-asks';
import { askingOffBecause, endAsking, readAiSwitches } from '@draftshelf/database/ai/ai-imports';
import { lockAiService } from '@draftshelf/database/ai/service';
import { markDone } from '@draftshelf/database/chunks/claim-chunk';
import type { TaskStep } from '@draftshelf/database/chunks/tasks';
import type { Db } from '@draftshelf/database/connection/database';

type Database = Parameters<TaskStep>[0];
type Chunk = Parameters<TaskStep>[1];

/**
 * Ends the task of an import that asks nothing now; returns whether it has. The service is locked, because an operator
 * who asks again locks it too: otherwise that request could count on a task that is ending.
 */
export async function endIfOff(db: Database, chunk: Chunk): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockAiService(trx);
    const switches = await readAiSwitches(trx, chunk.import_id);
    const reason = switches?.asks ? askingOffBecause(switches) : null;
    if (switches?.asks && reason === null) return false;
    await endWith(trx, chunk, reason);
    return true;
  });
}

/** Ends the task because no service is set. */
export async function endWithoutService(db: Database, chunk: Chunk): Promise<'done'> {
  await db.transaction().execute(async (trx) => {
    await lockAiService(trx);
    await endWith(trx, chunk, 'No AI service is set up.');
  });
  return 'done';
}

async function endWith(trx: Db, chunk: Chunk, reason: string | null): Promise<void> {
  if (reason !== null) {
    await endAsking(trx, chunk.import_id, reason);
    await removeWantedAsks(trx, chunk.import_id);
  }
  await markDone(trx, chunk);
}
