import type { Db } from '../../connection/database.ts';
import { readParts } from '../../reading/validate-products.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { type EffectiveRow, findProductsOfRows, readRowsByNumber } from '../effective-rows.ts';

/** Rows per part within a request. A request has several parts only if products have very many rows. */
export const rowsPerRequestPart = 2_000;

/** All rows of a product, in file order. */
export type WholeProduct = readonly EffectiveRow[];

/** Reads whole products in the given order, about `rowsMax` rows at a time, or fewer to save memory. */
export async function* readProductsInParts(
  db: Db,
  of: RunOfRows,
  products: readonly number[],
  rowsMax: number,
): AsyncGenerator<WholeProduct[], void> {
  for (const part of await readParts(db, of, products, rowsMax)) {
    const numbers = part.flatMap(({ rows }) => rows);
    const rows = Map.groupBy(await readRowsByNumber(db, of, numbers), ({ product }) => product);
    yield part.map(({ product }) => rows.get(product) ?? []);
  }
}

/** Reads the first products of some rows, about `rowsMax` rows in total. */
export async function readWholeProducts(
  db: Db,
  of: RunOfRows,
  numbers: readonly number[],
  rowsMax: number,
): Promise<WholeProduct[]> {
  const products = await findProductsOfRows(db, of, numbers);
  return (await readProductsInParts(db, of, products, rowsMax).next()).value ?? [];
}
