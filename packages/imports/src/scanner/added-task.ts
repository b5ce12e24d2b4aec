import type { ChunkRecord, Schema } from '@draftshelf/database/connection/schema';
import { appendedErrors, changeImport, lockImport } from '@draftshelf/database/imports/imports';
import { lockRows } from '@draftshelf/database/review/rows-lock';
import { lockHeld, markDone } from '@draftshelf/database/work/claim-chunk';
import { storeTaskProgress, type TaskProgress } from '@draftshelf/database/work/tasks';
import type { Kysely } from 'kysely';
import { blockedBy } from '../blocking.ts';
import { isAtRest, updateAddedRows } from './update-added-rows.ts';

/**
 * The task 'update-added': makes the next added rows of an import those of their products. It waits for a command that
 * is being applied. If the import is being read or pushed again, it ends: the end of that enqueues the task again. It
 * ends with a sentence if the rows were removed. Locks the import before its task, as a newer run does when it drops
 * tasks.
 */
export async function updateAdded(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  return db.transaction().execute(async (trx) => {
    await lockRows(trx, chunk.import_id);
    const record = await lockImport(trx, chunk.import_id);
    const { done } = await lockHeld(trx, chunk);
    const waitFor = await blockedBy(trx, chunk.import_id, 'addProduct');
    const isRemoved = record !== undefined && record.rows_removed_at !== null;
    if (waitFor !== undefined && !isRemoved) return { waitFor };
    const last = record && isAtRest(record) ? await updateAddedRows(trx, record, { after: done }) : null;
    if (last !== null) {
      await storeTaskProgress(trx, chunk, last);
      return 'more';
    }
    // Screens list open tasks.
    const sentence = `Scanned products were not updated. ${waitFor}`;
    await changeImport(trx, chunk.import_id, isRemoved ? { error_log: appendedErrors([sentence]) } : {});
    await markDone(trx, chunk);
    return 'done';
  });
}
