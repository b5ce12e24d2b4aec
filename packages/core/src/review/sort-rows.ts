import type { RowOrder } from '@draftshelf/domain/review/row-sort';
import type { Kysely } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, ImportRecord, RowOrderRecord, Schema } from '../connection/schema.ts';
import { findImport } from '../imports/imports.ts';
import { lockHeld, markDone } from '../work/claim-chunk.ts';
import { currentRows } from '../work/runs.ts';
import {
  dropDeadTasks,
  enqueueTask,
  hasOpenTask,
  storeTaskProgress,
  type TaskProgress,
} from '../work/tasks.ts';
import { beginOrder, findOrder, findUnmadeOrder, isOutdated, makePartOfOrder } from './search/row-orders.ts';

/** Rows that a request sorts: it takes about 100 ms. More are sorted by a task. */
const requestRowsMax = 10_000;

/**
 * The order of an import's rows. It is made if there is none, or `again`: at once for few rows, else by a task. The
 * order before stays until then. 'if-edited': only if a field of it was edited since.
 */
export async function orderRows(
  db: Kysely<Schema>,
  record: ImportRecord,
  { field, again }: { field: RowOrder; again: boolean | 'if-edited' },
): Promise<RowOrderRecord> {
  const of = currentRows(record);
  const found = await findOrder(db, of, field);
  const isMade = found !== undefined && found.read_rows === null;
  if (isMade && again !== true && !(again === 'if-edited' && (await isOutdated(db, found)))) return found;
  if (found && !isMade && (await hasOpenTask(db, record.id, 'sort-rows', of.run))) return found;
  return db.transaction().execute(async (trx) => {
    const order = await beginOrder(trx, of, field);
    if (record.total_rows > requestRowsMax) {
      if (!(await hasOpenTask(trx, record.id, 'sort-rows', of.run))) {
        await dropDeadTasks(trx, record.id, 'sort-rows');
        await enqueueTask(trx, of, 'sort-rows', record.total_rows);
      }
      return order;
    }
    for (let part: RowOrderRecord = order; ; ) {
      const read = await makePartOfOrder(trx, record, part);
      if (read === null) return (await findOrder(trx, of, field)) ?? order;
      part = { ...part, read_rows: read };
    }
  });
}

/** The task 'sort-rows': the next part of the orders that were asked for. */
export async function sortRows(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  return db.transaction().execute((trx) => sortPart(trx, chunk));
}

async function sortPart(db: Db, chunk: ChunkRecord): Promise<TaskProgress> {
  await lockHeld(db, chunk);
  const record = await findImport(db, chunk.import_id);
  const order = await findUnmadeOrder(db, chunk);
  if (!record || !order) {
    await markDone(db, chunk);
    return 'done';
  }
  const read = await makePartOfOrder(db, record, order);
  await storeTaskProgress(db, chunk, read ?? record.total_rows);
  return 'more';
}
