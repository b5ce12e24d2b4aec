import type { Db } from '../../connection/database.ts';
import { queryValues } from '../../connection/query-rows.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { refreshRows } from '../../reading/refresh-products.ts';
import { type EffectiveRow, readRowsOfProductNumbers } from '../../review/effective-rows.ts';
import { currentRows, type RunOfRows } from '../../work/runs.ts';
import { addCoverage } from '../coverage.ts';
import { type ReconciledProducts, reconcileProducts } from './reconcile-products.ts';

/** Products in memory at a time. A single row may have a megabyte. */
const productsPerRead = 500;

/** Applies cached look-ups to products that begin in a range. `counted`: the coverage already includes the products. */
export async function lookUpProductsInRange(
  db: Db,
  of: RunOfRows,
  range: { firstRow: number; rows: number; counted: boolean },
): Promise<Omit<ReconciledProducts, 'covered'>> {
  const total: ReconciledProducts = { filled: [], pictured: [], covered: [] };
  const numbers = await readProductNumbers(db, of, range);
  for (let from = 0; from < numbers.length; from += productsPerRead) {
    const part = numbers.slice(from, from + productsPerRead);
    const products = await readRowsByProduct(db, of, part);
    const done = await reconcileProducts(db, of, products, range.counted ? products : []);
    total.filled.push(...done.filled);
    total.pictured.push(...done.pictured);
    total.covered.push(...done.covered);
  }
  await addCoverage(db, of, total.covered);
  return total;
}

/** Applies cached look-ups. Returns first rows of products that got a value. `before`: rows that coverage counted. */
export async function applyCachedLookUps(
  db: Db,
  record: ImportRecord,
  numbers: readonly number[],
  before?: readonly (readonly EffectiveRow[])[],
): Promise<number[]> {
  const of = currentRows(record);
  const products = await readRowsByProduct(db, of, numbers);
  const { filled, covered } = await reconcileProducts(db, of, products, before ?? products);
  await addCoverage(db, of, covered);
  await refreshRows(db, record, filled);
  return filled;
}

/** Reads the numbers of the products that begin in a range. A joined row continues an earlier product. */
export const readProductNumbers = (
  db: Db,
  of: RunOfRows,
  { firstRow, rows }: { firstRow: number; rows: number },
) =>
  queryValues<number>(db)`
    select distinct product from rows
    where import_id = ${of.import_id} and run = ${of.run} and row >= ${firstRow} and row < ${firstRow + rows}
      and ignored is null and not joined
      and product is distinct from (
        select product from rows before
        where import_id = ${of.import_id} and run = ${of.run} and row < ${firstRow} and ignored is null and not joined
        order by row desc limit 1)
    order by product`;

/** Reads the rows of some products, grouped by product. The rows of a product may be far apart. */
export async function readRowsByProduct(
  db: Db,
  of: RunOfRows,
  numbers: readonly number[],
): Promise<EffectiveRow[][]> {
  const rows = await readRowsOfProductNumbers(db, of, numbers);
  return [...Map.groupBy(rows, (row) => row.product).values()];
}
