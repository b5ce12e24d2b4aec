import { runningStatusOf, type Stage } from '@draftshelf/domain/imports/stages';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord } from '../connection/schema.ts';
import { abandonAsking } from '../enrich/ai/end-asking-task.ts';
import { appendErrors, changeImport, moveStatus } from '../imports/imports.ts';
import { failCommandTask } from '../review/commands/command-task.ts';
import { enqueueUpdateAdded } from '../scanner/update-added-rows.ts';
import { markDead } from './claim-chunk.ts';
import { type ChunkOfRun, lockRunningImport } from './complete-chunk.ts';
import { rereadFaultSentence, rollBackReread } from './reread-rollback.ts';

/**
 * Fails an import whose finalize failed, or rolls back its re-read if the file was being re-read. Throws
 * ImportNotRunning if the import was paused meanwhile, because a resume does not publish a dead finalize again.
 */
export async function failFinalize(db: Db, chunk: ChunkOfRun, cause: string): Promise<void> {
  const record = await lockRunningImport(db, chunk);
  const logged = `While re-reading the file: ${cause}`;
  if (!(await rollBackReread(db, record, { sentence: rereadFaultSentence, cause: logged }))) {
    await failImport(db, chunk.import_id, chunk.stage, cause);
  }
  await markDead(db, chunk, cause);
}

/** Fails an import with a cause for the operator, unless its stage has stopped or restarted since `start` was read. */
export async function failImport(
  db: Db,
  importId: string,
  stage: Stage,
  cause: string,
  start?: number,
): Promise<boolean> {
  const moved = await moveStatus(db, importId, {
    from: [runningStatusOf(stage)],
    to: 'failed',
    event: 'failed',
    start,
    set: {
      failed_in: stage,
      error_message: cause,
      error_log: appendErrors([cause]),
      error_count: sql`error_count + 1`,
      completed_at: sql`now()`,
    },
  });
  if (moved) await enqueueUpdateAdded(db, moved);
  return moved !== undefined;
}

/** Marks a task dead with its cause. Throws ChunkFenced. */
export async function failTask(db: Db, chunk: ChunkRecord, cause: string): Promise<void> {
  const { command, task, import_id } = chunk;
  if (command !== null) return failCommandTask(db, { ...chunk, command }, cause);
  await changeImport(db, import_id, {});
  if (task === 'ask-ai')
    await abandonAsking(db, import_id, 'Asking ended because of an internal error. Ask again to continue.');
  await markDead(db, chunk, cause);
}
