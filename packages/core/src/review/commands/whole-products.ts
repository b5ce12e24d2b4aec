import type { Db } from '../../connection/database.ts';
import { findParts } from '../../reading/validate-products.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { type EffectiveRow, findProductsOfRows, readRowsByNumber } from '../effective-rows.ts';

/** A request is done in one part, except for products with very many rows. */
export const requestPartRows = 2_000;

/** All rows of a product, in file order. */
export type WholeProduct = readonly EffectiveRow[];

/** Reads products in their order: about `rowsMax` rows at a time as far as memory allows, at least one product. */
export async function* readInParts(
  db: Db,
  of: RunOfRows,
  products: readonly number[],
  rowsMax: number,
): AsyncGenerator<WholeProduct[], void> {
  for (const part of await findParts(db, of, products, rowsMax)) {
    const numbers = part.flatMap(({ rows }) => rows);
    const rows = Map.groupBy(await readRowsByNumber(db, of, numbers), ({ product }) => product);
    yield part.map(({ product }) => rows.get(product) ?? []);
  }
}

/** Reads the first part of the products of some rows. */
export async function readWholeProducts(
  db: Db,
  of: RunOfRows,
  numbers: readonly number[],
  rowsMax: number,
): Promise<WholeProduct[]> {
  const products = await findProductsOfRows(db, of, numbers);
  return (await readInParts(db, of, products, rowsMax).next()).value ?? [];
}
