import { isSameGuards } from '@draftshelf/domain/products/guards';
import { productsPerBatch, validateNextProducts } from '../reading/validate-products.ts';
import { moveRunCounts } from '../review/row-facets.ts';
import { readRowRules, setRunGuards } from '../work/runs.ts';
import type { PreparedBatch, StepPart } from './prepared-batch.ts';
import { readGuards } from './suppliers.ts';

/** Validates rows by their supplier's guards. Items in a list of prices and stock need no title and no price. */
export async function validateItems({ db, record, of, progress }: PreparedBatch): Promise<StepPart> {
  const { isPartial, guards: checked } = await readRowRules(db, of);
  const guards = progress.at === 0 ? await readGuards(db, progress.supplier.id) : checked;
  const hasNewGuards = !isSameGuards(guards, checked);
  if (hasNewGuards) await setRunGuards(db, of, guards);
  const last = record.product_numbers;
  if ((!isPartial && guards === null) || progress.at >= last) return { isRunChanged: hasNewGuards };
  const size = Math.min(productsPerBatch, last - progress.at);
  const products = Array.from({ length: size }, (_, at) => progress.at + 1 + at);
  const { classes, facets, taken } = await validateNextProducts(
    db,
    of,
    products,
    isPartial ? progress.supplier.id : null,
  );
  const hasMoved = await moveRunCounts(db, of, { classes, facets });
  const at = progress.at + taken;
  return { ...(at < last && { at }), isRunChanged: hasNewGuards || hasMoved };
}
