import type { PlannedProduct } from '@draftshelf/contract/push/plan';
import type { DryRunResult } from '@draftshelf/contract/push/store';
import { call } from '../../../api/call.ts';
import { rowsPerPage } from '../rows-api.ts';
import { type DryRunProduct, postedProducts } from './posted-products.ts';

/**
 * Result of a dry run for one product, with its place among the first products; null for a product that is left out of
 * the push: without a variant there is nothing to check.
 */
export type ShownDryRun = { result: DryRunResult | null; products: readonly DryRunProduct[]; at: number };

/** Dry runs the first of an import's products that a push would change. */
export async function dryRunFirst(importId: string): Promise<ShownDryRun> {
  const products = await readProducts(importId);
  return dryRunAt(products, await firstChanged(importId, products));
}

/** Checks a product without sending it to the store. */
export async function dryRunAt(products: readonly DryRunProduct[], at: number): Promise<ShownDryRun> {
  const product = products[at];
  if (!product) throw new Error('No CSV data available');
  if (product.isLeftOut) return { products, at, result: null };
  return { products, at, result: await call('dryRun', { body: { product: product.posted } }) };
}

/** The first products of an import. Throws if it has no rows. */
async function readProducts(importId: string): Promise<DryRunProduct[]> {
  const { job: record } = await call('getImport', { params: { id: importId } });
  if (!record.csvData || record.csvData.length === 0) throw new Error('No CSV data available');
  if (!record.processedData || record.processedData.length === 0)
    throw new Error('No processed data available');
  const page = await call('listRows', { params: { id: importId }, query: { limit: rowsPerPage } });
  return postedProducts(page.rows);
}

/** The place of the first product that a push would change, by the plan; without one the first. */
async function firstChanged(importId: string, products: readonly DryRunProduct[]): Promise<number> {
  const [first] = products;
  if (first === undefined) return 0;
  const after = first.product - 1;
  const planned = await call('listPlannedProducts', { params: { id: importId }, query: { after } });
  const changes = ({ outcome }: PlannedProduct) => outcome === 'created' || outcome === 'updated';
  const changed = new Set(planned.products.filter(changes).map(({ product }) => product));
  return Math.max(
    0,
    products.findIndex(({ product }) => changed.has(product)),
  );
}
