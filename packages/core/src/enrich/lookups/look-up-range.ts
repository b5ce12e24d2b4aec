import type { Db } from '../../connection/database.ts';
import { type EffectiveRow, readRowsOfProducts } from '../../review/effective-rows.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { addCoverage } from '../coverage.ts';
import { readProductNumbers } from '../product-numbers.ts';
import { productFacts } from './product-facts.ts';
import { type Reconciled, reconcileProducts } from './reconcile-products.ts';

/** Rows may have a megabyte each, so only a few products are in memory at a time. */
const productsPerRead = 500;

/** Applies cached look-ups to products that begin in a range. `counted`: the coverage has already counted them. */
export async function lookUpRange(
  db: Db,
  of: RunOfRows,
  range: { firstRow: number; rows: number; counted: boolean },
): Promise<Omit<Reconciled, 'covered'>> {
  const total: Reconciled = { filled: [], pictured: [], covered: [] };
  const numbers = await readProductNumbers(db, of, range);
  for (let from = 0; from < numbers.length; from += productsPerRead) {
    const part = numbers.slice(from, from + productsPerRead);
    const products = await readRowsByProduct(db, of, part);
    const before = new Map(
      range.counted
        ? products.map((rows) => {
            const { row, states } = productFacts(rows);
            return [row, states];
          })
        : [],
    );
    const { filled, pictured, covered } = await reconcileProducts(db, of, products, before);
    total.filled.push(...filled);
    total.pictured.push(...pictured);
    total.covered.push(...covered);
  }
  await addCoverage(db, of, total.covered);
  return total;
}

/** Reads the rows of some products, product by product. They may be far apart. */
export async function readRowsByProduct(
  db: Db,
  of: RunOfRows,
  numbers: readonly number[],
): Promise<EffectiveRow[][]> {
  const rows = await readRowsOfProducts(db, of, numbers);
  return [...Map.groupBy(rows, (row) => row.product).values()];
}
