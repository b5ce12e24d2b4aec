import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { refreshProducts, refreshRows } from '../reading/refresh-products.ts';
import type { EffectiveRow } from '../review/effective-rows.ts';
import { currentRows } from '../work/runs.ts';
import { addCoverage, readCoverage } from './coverage.ts';
import { enqueueLookups } from './lookups/enqueue-lookups.ts';
import { readRowsByProduct } from './lookups/look-up-range.ts';
import { productFacts } from './lookups/product-facts.ts';
import { reconcileProducts } from './lookups/reconcile-products.ts';

/** Validates products whose found values changed, and looks up empty fields. `changed`: their rows before. */
export async function refreshFound(
  db: Db,
  record: ImportRecord,
  changed: readonly (readonly EffectiveRow[])[],
): Promise<void> {
  if (changed.length === 0) return;
  const of = currentRows(record);
  const numbers = changed.flatMap(([first]) => first?.product ?? []);
  await refreshProducts(db, record, numbers);
  if ((await readCoverage(db, of)).length === 0) return;
  const facts = changed.map((rows) => productFacts(rows));
  const before = new Map(facts.map(({ row, states }) => [row, states]));
  const products = await readRowsByProduct(db, of, numbers);
  const { filled, covered } = await reconcileProducts(db, of, products, before);
  await addCoverage(db, of, covered);
  await refreshRows(db, record, filled);
  await enqueueLookups(db, record);
}
