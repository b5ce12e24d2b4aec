import type { Kysely } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, Schema } from '../connection/schema.ts';
import { findImport } from '../imports/imports.ts';
import { lockHeld, markDone } from '../work/claim-chunk.ts';
import { currentRows, readParseRun } from '../work/runs.ts';
import { enqueueTask, storeTaskProgress, type TaskProgress } from '../work/tasks.ts';
import { earlierIsKept } from './find-supplier.ts';
import { insertItems } from './items.ts';
import { findListOf, wakeNextList } from './lists.ts';
import { lockSupplier } from './suppliers.ts';

const rowsPerPart = 20_000;

/** Enqueues 'keep-items' for a supplier's list that has products of its own: none of prices and stock. */
export async function enqueueKeepItems(db: Db, importId: string): Promise<void> {
  const record = await findImport(db, importId);
  if (!record || record.supplier === null || record.test_mode) return;
  if ((await readParseRun(db, currentRows(record))).isPartial) return;
  await enqueueTask(db, currentRows(record), 'keep-items', record.total_rows);
}

/** The task 'keep-items': inserts items for a list's new keys. Locks the supplier before the task, like re-reads. */
export async function keepItems(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  return db.transaction().execute(async (trx) => {
    const list = await findListOf(trx, chunk.import_id);
    const supplier = list && (await lockSupplier(trx, list.supplier));
    const { done } = await lockHeld(trx, chunk);
    const record = await findImport(trx, chunk.import_id);
    if (!record || !supplier || done >= record.total_rows) {
      await markDone(trx, chunk);
      // Otherwise lists uploaded together would each wait for up to half a minute in turn.
      if (supplier) await wakeNextList(trx, supplier.id, earlierIsKept);
      return 'done';
    }
    await insertItems(trx, record, list, { at: done, last: done + rowsPerPart });
    await storeTaskProgress(trx, chunk, Math.min(record.total_rows, done + rowsPerPart));
    return 'more';
  });
}
