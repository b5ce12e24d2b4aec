import { isSameGuards } from '@draftshelf/domain/products/guards';
import { productsPerBatch, validateNextProducts } from '../reading/validate-products.ts';
import { readRowRules, setRunGuards } from '../work/runs.ts';
import { countInRun, type PreparedBatch } from './prepared-batch.ts';
import { readGuards } from './suppliers.ts';

/**
 * Validates rows again, now that it is known whose list they are. Those of a list of prices and stock need no title and
 * no price if they are items of the supplier, the others are skipped by a push. If the supplier has guards, the rows
 * are checked by them. Returns whether the step has ended.
 */
export async function validateItems(batch: PreparedBatch): Promise<boolean> {
  const { db, record, of, progress } = batch;
  const { isPartial, guards: checked } = await readRowRules(db, of);
  if (progress.at === 0) {
    const guards = await readGuards(db, progress.supplier.id);
    if (!isSameGuards(guards, checked)) {
      await setRunGuards(db, of, guards);
      batch.isChanged = true;
    }
    if (!isPartial && guards === null) return true;
  }
  const last = record.product_numbers;
  const size = Math.min(productsPerBatch, last - progress.at);
  const products = Array.from({ length: size }, (_, at) => progress.at + 1 + at);
  if (products.length === 0) return true;
  const { classes, facets, taken } = await validateNextProducts(
    db,
    of,
    products,
    isPartial ? progress.supplier.id : null,
  );
  await countInRun(batch, { classes, facets });
  progress.at += taken;
  return progress.at >= last;
}
