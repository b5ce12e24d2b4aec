import { moveFacets } from '@draftshelf/database/review/row-facets';
import { readParseRun } from '@draftshelf/database/work/runs';
import { rowClasses } from '@draftshelf/domain/review/row-rule';
import { productsPerBatch, validateNextProducts } from '../reading/validate-products.ts';
import type { PreparedBatch } from './prepared-batch.ts';

/**
 * Validates the rows of a list of prices and stock, now that it is known which of them are items of its supplier: these
 * need no title and no price, the others are skipped by a push. Returns whether the step has ended.
 */
export async function validateItems({ db, record, of, progress }: PreparedBatch): Promise<boolean> {
  if (progress.at === 0 && !(await readParseRun(db, of)).isPartial) return true;
  const last = record.product_numbers + progress.added;
  const size = Math.min(productsPerBatch, last - progress.at);
  const products = Array.from({ length: size }, (_, at) => progress.at + 1 + at);
  if (products.length === 0) return true;
  const { classes, facets, taken } = await validateNextProducts(db, of, products, progress.supplier.id);
  await moveFacets(db, of, facets);
  for (const name of rowClasses) progress.products[name] += classes[name];
  progress.at += taken;
  return progress.at >= last;
}
