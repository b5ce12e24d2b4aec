import { areGuardsEqual } from '@draftshelf/domain/products/guards';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { changeImport, lockImport } from '../imports/imports.ts';
import { productsPerBatch, validateNextProducts } from '../reading/validate-products.ts';
import { addToRunCounts } from '../review/row-facets.ts';
import { lockRows } from '../review/rows-lock.ts';
import { lockHeldChunk, markDone } from '../work/claim-chunk.ts';
import { currentRows, readRowRules, setRunGuards } from '../work/runs.ts';
import { enqueueTask, storeTaskProgress, type TaskPartHandler } from '../work/tasks.ts';
import type { PreparedBatch, StepState } from './prepared-batch.ts';
import { lockAndReadGuards, readGuards } from './suppliers.ts';

/** Enqueues 'check-guards' unless the last check of the rows used the current guards. Lock the import first. */
export async function enqueueCheckGuards(db: Db, record: ImportRecord): Promise<void> {
  const rows = currentRows(record);
  if (areGuardsEqual(await lockAndReadGuards(db, record.supplier), (await readRowRules(db, rows)).guards))
    return;
  await enqueueTask(db, rows, 'check-guards', record.product_numbers);
}

/** The task 'check-guards': validates the next products with their supplier's current guards. Safe to repeat. */
export const checkGuards: TaskPartHandler = (db, chunk) =>
  db.transaction().execute(async (trx) => {
    await lockRows(trx, chunk.import_id);
    const record = await lockImport(trx, chunk.import_id);
    const { done } = await lockHeldChunk(trx, chunk);
    if (!record || record.rows_run !== chunk.run || done >= record.product_numbers) {
      return markDone(trx, chunk);
    }
    if (done === 0) await setRunGuards(trx, chunk, await lockAndReadGuards(trx, record.supplier));
    const products = productsAfter(done, record.product_numbers);
    const { taken, ...counts } = await validateNextProducts(trx, chunk, products);
    await addToRunCounts(trx, chunk, counts);
    await changeImport(trx, record.id, {});
    await storeTaskProgress(trx, chunk, done + taken);
    return 'more';
  });

const productsAfter = (at: number, last: number) =>
  Array.from({ length: Math.min(productsPerBatch, last - at) }, (_, n) => at + 1 + n);

/** Validates the next products by the supplier's guards. Items in a list of prices and stock need no title or price. */
export async function validateItems({ db, record, of, progress }: PreparedBatch): Promise<StepState> {
  const { isPartial, guards: checked } = await readRowRules(db, of);
  const guards = progress.at === 0 ? await readGuards(db, progress.supplier.id) : checked;
  const hasNewGuards = !areGuardsEqual(guards, checked);
  if (hasNewGuards) await setRunGuards(db, of, guards);
  const last = record.product_numbers;
  if ((!isPartial && guards === null) || progress.at >= last) return { endsBatch: hasNewGuards };
  const products = productsAfter(progress.at, last);
  const supplier = isPartial ? progress.supplier.id : null;
  const { taken, ...counts } = await validateNextProducts(db, of, products, supplier);
  const hasMoved = await addToRunCounts(db, of, counts);
  const at = progress.at + taken;
  return { ...(at < last && { at }), endsBatch: hasNewGuards || hasMoved };
}
