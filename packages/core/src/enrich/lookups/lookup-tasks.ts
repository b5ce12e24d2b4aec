import type { Db } from '../../connection/database.ts';
import type { ChunkRecord } from '../../connection/schema.ts';
import { changeImport, lockImport } from '../../imports/imports.ts';
import { readOutcomes } from '../../push/outcomes.ts';
import { refreshProducts, refreshRows } from '../../reading/refresh-products.ts';
import { type EffectiveRow, readRowPage } from '../../review/effective-rows.ts';
import { lockRows } from '../../review/rows-lock.ts';
import { lockHeld, markDone } from '../../work/claim-chunk.ts';
import { markLacking } from '../../work/runs.ts';
import { storeTaskProgress, type TaskProgress, type TaskStep } from '../../work/tasks.ts';
import { learnValues } from '../lookups.ts';
import { enqueueLookups } from './enqueue-lookups.ts';
import { recountCoverage } from './forget-simulated.ts';
import { learnedFrom, readOwnValues } from './learned-values.ts';
import { lookUpRange, readProductNumbers } from './look-up-range.ts';

/** A part locks the import's rows for as long as this many rows take. */
const rowsPerPart = 500;

/** `counted`: the coverage has counted the rows; `lost`: values may be gone from them, so they are validated again. */
export function lookUpProducts({ counted, lost }: { counted: boolean; lost: boolean }): TaskStep {
  return (db, chunk) =>
    db.transaction().execute(async (trx): Promise<TaskProgress> => {
      await lockRows(trx, chunk.import_id);
      const record = await lockImport(trx, chunk.import_id);
      const { done } = await lockHeld(trx, chunk);
      if (!record || record.rows_run !== chunk.run || done >= record.total_rows) {
        if (record) await enqueueLookups(trx, record);
        if (lost) await markLacking(trx, chunk, false);
        return markDone(trx, chunk);
      }
      if (lost && done === 0) await recountCoverage(trx, record);
      const range = { firstRow: done + 1, rows: rowsPerPart, counted };
      if (lost) await refreshProducts(trx, record, await readProductNumbers(trx, chunk, range));
      const { filled } = await lookUpRange(trx, chunk, range);
      await refreshRows(trx, record, filled);
      await storeTaskProgress(trx, chunk, done + rowsPerPart);
      await changeImport(trx, record.id, {});
      return 'more';
    });
}

/** The task 'learn-values': stores the pushed values of the next rows as the operator's own answers. */
export const learnPushedValues: TaskStep = (db, chunk) =>
  db.transaction().execute(async (trx) => {
    const { done } = await lockHeld(trx, chunk);
    const rows = await readRowPage(trx, chunk, { after: done, limit: rowsPerPart });
    const pushed = await pushedRows(trx, chunk, rows);
    const ownOf = await readOwnValues(trx, chunk.import_id, pushed);
    const learned = pushed.flatMap((row) => learnedFrom([ownOf(row)], (source) => source !== 'found'));
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
