import { rowClasses } from '@draftshelf/domain/review/row-rule';
import { productsPerBatch, validateNextProducts } from '../reading/validate-products.ts';
import { moveFacets } from '../review/row-facets.ts';
import { readRowRules, setRunGuards } from '../work/runs.ts';
import type { PreparedBatch } from './prepared-batch.ts';
import { readGuards } from './suppliers.ts';

/**
 * Validates rows again, now that it is known whose list they are. Those of a list of prices and stock need no title and
 * no price if they are items of the supplier, the others are skipped by a push. If the supplier has guards, the rows
 * are checked by them. Returns whether the step has ended.
 */
export async function validateItems({ db, record, of, progress }: PreparedBatch): Promise<boolean> {
  const { isPartial } = await readRowRules(db, of);
  if (progress.at === 0) {
    const guards = await readGuards(db, progress.supplier.id);
    await setRunGuards(db, of, guards);
    if (!isPartial && guards === null) return true;
  }
  const last = record.product_numbers + progress.added;
  const size = Math.min(productsPerBatch, last - progress.at);
  const products = Array.from({ length: size }, (_, at) => progress.at + 1 + at);
  if (products.length === 0) return true;
  const { classes, facets, taken } = await validateNextProducts(
    db,
    of,
    products,
    isPartial ? progress.supplier.id : null,
  );
  await moveFacets(db, of, facets);
  for (const name of rowClasses) progress.products[name] += classes[name];
  progress.at += taken;
  return progress.at >= last;
}
