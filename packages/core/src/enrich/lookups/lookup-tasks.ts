import { canDo } from '@draftshelf/domain/imports/import-status';
import type { Db } from '../../connection/database.ts';
import type { ChunkRecord, ImportRecord } from '../../connection/schema.ts';
import { type ActionRefusal, refuseInStatus } from '../../imports/action-result.ts';
import { changeImport, lockImport } from '../../imports/imports.ts';
import { readOutcomes } from '../../push/outcomes.ts';
import { refreshProducts, refreshRows } from '../../reading/refresh-products.ts';
import { type EffectiveRow, readRowPage } from '../../review/effective-rows.ts';
import { removeSourceProposals } from '../../review/proposals/proposals.ts';
import { lockRows } from '../../review/rows-lock.ts';
import { lockHeldChunk, markDone } from '../../work/claim-chunk.ts';
import { currentRows, setMayLackValues } from '../../work/runs.ts';
import {
  dropTasks,
  enqueueTask,
  storeTaskProgress,
  type TaskPartHandler,
  type TaskProgress,
} from '../../work/tasks.ts';
import { beginCoverage, deleteCoverage, readCoverage } from '../coverage.ts';
import { removeValuesOfSources } from '../found-values.ts';
import { learnValues } from '../lookups.ts';
import { enqueueImageCheck, enqueueLookups, isBeingLookedUp } from './enqueue-lookups.ts';
import { createAiValueRemover, listLearnedValues } from './look-up-edited.ts';
import { lookUpProductsInRange, readProductNumbers } from './look-up-range.ts';

/** Rows per part of a task. A part locks the import's rows. */
const rowsPerPart = 500;

/** `counted`: the coverage already includes the rows. `lost`: the rows may have lost values and are validated again. */
export function createLookUpTask({ counted, lost }: { counted: boolean; lost: boolean }): TaskPartHandler {
  return (db, chunk) =>
    db.transaction().execute(async (trx): Promise<TaskProgress> => {
      await lockRows(trx, chunk.import_id);
      const record = await lockImport(trx, chunk.import_id);
      const { done } = await lockHeldChunk(trx, chunk);
      if (!record || record.rows_run !== chunk.run || done >= record.total_rows) {
        if (record) await enqueueLookups(trx, record);
        if (lost) await setMayLackValues(trx, chunk, false);
        return markDone(trx, chunk);
      }
      if (lost && done === 0) await recountCoverage(trx, record);
      const range = { firstRow: done + 1, rows: rowsPerPart, counted };
      if (lost) await refreshProducts(trx, record, await readProductNumbers(trx, chunk, range));
      const { filled } = await lookUpProductsInRange(trx, chunk, range);
      await refreshRows(trx, record, filled);
      await storeTaskProgress(trx, chunk, done + rowsPerPart);
      await changeImport(trx, record.id, {});
      return 'more';
    });
}

/** Task 'learn-values': stores the pushed values of the next rows as the operator's own answers. */
export const learnPushedValues: TaskPartHandler = (db, chunk) =>
  db.transaction().execute(async (trx) => {
    const { done } = await lockHeldChunk(trx, chunk);
    const rows = await readRowPage(trx, chunk, { after: done, limit: rowsPerPart });
    const pushed = await pushedRows(trx, chunk, rows);
    const ownOf = await createAiValueRemover(trx, chunk.import_id, pushed);
    const learned = pushed.flatMap((row) => listLearnedValues([ownOf(row)], (source) => source !== 'found'));
    await learnValues(trx, learned);
    await storeTaskProgress(trx, chunk, rows.at(-1)?.row ?? done);
    if (rows.length === rowsPerPart) return 'more';
    return markDone(trx, chunk);
  });

const inStore = new Set(['created', 'updated', 'unchanged']);

async function pushedRows(
  db: Db,
  chunk: ChunkRecord,
  rows: readonly EffectiveRow[],
): Promise<EffectiveRow[]> {
  const products = [...new Set(rows.map(({ product }) => product))];
  const outcomes = await readOutcomes(db, chunk, products);
  return rows.filter(({ product }) => inStore.has(outcomes.get(product)?.outcome ?? ''));
}

/** Removes values of simulated sources. The caller has locked the sources, so that no push sends such a value later. */
export async function removeSimulatedValues(db: Db, sources: readonly string[]): Promise<void> {
  if (sources.length === 0) return;
  await removeSourceProposals(db, sources);
  for (const record of await removeValuesOfSources(db, sources)) {
    await setMayLackValues(db, currentRows(record), true);
    await enqueueTask(db, currentRows(record), 'look-up-anew', record.total_rows);
  }
}

/** Resets the coverage of an import to zero, and drops the tasks that have counted a part of the rows. */
async function recountCoverage(db: Db, record: ImportRecord): Promise<void> {
  await dropTasks(db, record.id, ['look-up-products', 'look-up-again']);
  await deleteCoverage(db, record.id);
  await beginCoverage(db, currentRows(record));
}

/** Rows updated before the response is sent. A task updates the other rows. */
const rowsAtOnce = 1_000;

export type ReprocessImagesResult = {
  ok: true;
  updated: number;
  /** True if a task updates the remaining rows. */
  continues: boolean;
};

/** Handles 'Update Images': applies cached answers and queues missing look-ups, without waiting for their answers. */
export async function reprocessImages(db: Db, id: string): Promise<ReprocessImagesResult | ActionRefusal> {
  await lockRows(db, id);
  const record = await lockImport(db, id);
  if (!record || !canDo('updateImages', record.status)) return refuseInStatus(record);
  const of = currentRows(record);
  const counted = (await readCoverage(db, of)).length > 0;
  if (!counted) await beginCoverage(db, of);
  const { filled, pictured } = await lookUpProductsInRange(db, of, {
    firstRow: 1,
    rows: rowsAtOnce,
    counted,
  });
  await refreshRows(db, record, filled);
  const task = counted ? 'look-up-again' : 'look-up-products';
  const isLong = record.total_rows > rowsAtOnce;
  if (isLong && !(await isBeingLookedUp(db, id))) {
    await enqueueTask(db, of, task, record.total_rows, { done: rowsAtOnce });
  }
  await enqueueLookups(db, record);
  await enqueueImageCheck(db, record);
  await changeImport(db, id, {});
  return { ok: true, updated: pictured.length, continues: isLong };
}
