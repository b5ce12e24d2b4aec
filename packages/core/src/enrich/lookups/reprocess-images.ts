import { canDo } from '@draftshelf/domain/imports/import-status';
import type { Db } from '../../connection/database.ts';
import { type ActionRefused, refusedIn } from '../../imports/action-result.ts';
import { changeImport, lockImport } from '../../imports/imports.ts';
import { refreshRows } from '../../reading/refresh-products.ts';
import { lockRows } from '../../review/rows-lock.ts';
import { currentRows } from '../../work/runs.ts';
import { enqueueTask } from '../../work/tasks.ts';
import { beginCoverage, readCoverage } from '../coverage.ts';
import { enqueueImageCheck, enqueueLookups, isLookedUpNow } from './enqueue-lookups.ts';
import { lookUpRange } from './look-up-range.ts';

/** Rows updated before the reply; a task does the others. */
const rowsAtOnce = 1_000;

export type ImagesReprocessed = {
  ok: true;
  updated: number;
  /** Whether a task works on remaining rows or sources. */
  continues: boolean;
};

/** 'Update Images': applies cached answers and queues missing look-ups without waiting for a source. */
export async function reprocessImages(db: Db, id: string): Promise<ImagesReprocessed | ActionRefused> {
  await lockRows(db, id);
  const record = await lockImport(db, id);
  if (!record || !canDo('updateImages', record.status)) return refusedIn(record);
  const of = currentRows(record);
  const counted = (await readCoverage(db, of)).length > 0;
  if (!counted) await beginCoverage(db, of);
  const { filled, pictured } = await lookUpRange(db, of, { firstRow: 1, rows: rowsAtOnce, counted });
  await refreshRows(db, record, filled);
  const task = counted ? 'look-up-again' : 'look-up-products';
  const isLong = record.total_rows > rowsAtOnce;
  if (isLong && !(await isLookedUpNow(db, id))) {
    await enqueueTask(db, of, task, record.total_rows, { done: rowsAtOnce });
  }
  await enqueueLookups(db, record);
  await enqueueImageCheck(db, record);
  await changeImport(db, id, {});
  return { ok: true, updated: pictured.length, continues: isLong };
}
