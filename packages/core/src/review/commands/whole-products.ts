import type { Db } from '../../connection/database.ts';
import { findParts } from '../../reading/validate-products.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { type EffectiveRow, findProductsOfRows, readRowsByNumber } from '../effective-rows.ts';

/** A request is done in one part, except for products with very many rows. */
export const requestPartRows = 2_000;

/** All rows of a product, in file order. */
export type WholeProduct = readonly EffectiveRow[];

/** Reads products of some rows, in their order: about `rowsMax` rows as far as memory allows, at least one product. */
export const readWholeProducts = async (
  db: Db,
  of: RunOfRows,
  numbers: readonly number[],
  rowsMax: number,
): Promise<WholeProduct[]> => readFirstProducts(db, of, await findProductsOfRows(db, of, numbers), rowsMax);

/** Reads the first ones of some products, as readWholeProducts does. */
export async function readFirstProducts(
  db: Db,
  of: RunOfRows,
  products: readonly number[],
  rowsMax: number,
): Promise<WholeProduct[]> {
  const [part = []] = await findParts(db, of, products, rowsMax);
  const numbers = part.flatMap(({ rows }) => rows);
  const rows = Map.groupBy(await readRowsByNumber(db, of, numbers), ({ product }) => product);
  return part.map(({ product }) => rows.get(product) ?? []);
}
