import type { Db } from '../../connection/database.ts';
import { partBytesMax } from '../../reading/validate-products.ts';
import type { RunOfRows } from '../../work/runs.ts';
import {
  type EffectiveRow,
  findProductsOfRows,
  findRowsOfProducts,
  readRowsByNumber,
} from '../effective-rows.ts';

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
  const found = new Map((await findRowsOfProducts(db, of, products)).map((one) => [one.product, one]));
  const taken: number[] = [];
  let bytes = 0;
  for (const product of products) {
    const one = found.get(product);
    if (!one) continue;
    bytes += one.bytes;
    if (taken.length > 0 && (taken.length + one.rows.length > rowsMax || bytes > partBytesMax)) break;
    taken.push(...one.rows);
  }
  const rows = Map.groupBy(await readRowsByNumber(db, of, taken), ({ product }) => product);
  return products.map((product) => rows.get(product)).filter((ofProduct) => ofProduct !== undefined);
}
