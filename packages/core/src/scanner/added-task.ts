import type { Kysely } from 'kysely';
import type { ChunkRecord, Schema } from '../connection/schema.ts';
import { appendedErrors, changeImport, lockImport } from '../imports/imports.ts';
import { lockRows } from '../review/rows-lock.ts';
import { blockedBy } from '../work/blocking.ts';
import { lockHeld, markDone } from '../work/claim-chunk.ts';
import { storeTaskProgress, type TaskProgress } from '../work/tasks.ts';
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
