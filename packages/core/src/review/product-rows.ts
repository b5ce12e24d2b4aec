import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { titleOf } from '@draftshelf/domain/products/draft-product';
import { findValueColumn, readRowValues } from '@draftshelf/domain/reading/row-values';
import type { RowClass } from '@draftshelf/domain/review/row-rule';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRow, queryRows } from '../connection/query-rows.ts';
import { type RunOfRows, readParseRun } from '../work/runs.ts';
import {
  type EffectiveRow,
  overlayValues,
  readFirstRows,
  readFoundValues,
  readRowsOfProductNumbers,
  rowsOfProducts,
} from './effective-rows.ts';

/** `place`: the row's position in its product, from 1; `rows`: the product's number of rows. */
export type RowPosition = { row: number; place: number; rows: number };

/** Returns the positions of rows in their products, by row. Rows of single-row products are absent. */
export async function readRowPositions(
  db: Db,
  of: RunOfRows,
  rows: readonly Pick<EffectiveRow, 'row' | 'product' | 'ignored'>[],
): Promise<Map<number, RowPosition>> {
  const products = [...new Set(rows.filter(({ ignored }) => ignored === null).map(({ product }) => product))];
  if (products.length === 0) return new Map();
  const places = await queryRows<RowPosition>(db)`
    select row, place, rows from (
      select row, row_number() over (partition by product order by row)::int as place,
        count(*) over (partition by product)::int as rows
      from (${rowsOfProducts(sql`rows.row, rows.product`, of, products)}) of_product
    ) placed
    where rows > 1 and row = any(${rows.map(({ row }) => row)}::int[])`;
  return new Map(places.map((place) => [place.row, place]));
}

/** Returns titles by product. If a product's first row has no title, takes the title of another row of the product. */
export async function readProductTitles(
  db: Db,
  of: RunOfRows,
  products: readonly number[],
): Promise<Map<number, string>> {
  const firsts = await readFirstRows(db, of, products);
  const titles = new Map([...firsts].map(([product, row]) => [product, titleOf([row.values])]));
  const untitled = products.filter((product) => !titles.get(product));
  const others = Map.groupBy(await readRowsOfProductNumbers(db, of, untitled), ({ product }) => product);
  for (const [product, rows] of others) titles.set(product, titleOf(rows.map(({ values }) => values)));
  return titles;
}

/** Bytes of stored cells that are read at a time. A single row may exceed this limit. */
const cellBytesMax = 4 * 1024 * 1024;

/**
 * Returns a product's first row, its total of rows, and up to `limit` rows from row `from` on. Null if it has no rows.
 */
export async function findProductRows(
  db: Db,
  of: RunOfRows,
  product: number,
  { from, limit }: { from: number; limit: number },
): Promise<{ first: number; numbers: number[]; total: number } | null> {
  const sizes = rowsOfProducts(sql`row, pg_column_size(cells) as bytes`, of, [product]);
  const rows = await queryRows<{ row: number; bytes: number }>(db)`
    select row, bytes from (${sizes}) sizes order by row`;
  const [first] = rows;
  if (!first) return null;
  const numbers: number[] = [];
  let bytes = 0;
  for (const one of rows.filter(({ row }) => row >= from).slice(0, limit)) {
    bytes += one.bytes;
    if (numbers.length > 0 && bytes > cellBytesMax) break;
    numbers.push(one.row);
  }
  return { first: first.row, numbers, total: rows.length };
}

/** A value without edits. `column`: the header of its column, or null if a look-up found the value. */
export type UneditedValue = { value: string; column: string | null };
type UneditedValues = Partial<Record<CanonicalField, UneditedValue>>;

export async function readUneditedValues(
  db: Db,
  of: RunOfRows,
  rows: readonly EffectiveRow[],
): Promise<Map<number, UneditedValues>> {
  const { mapping } = await readParseRun(db, of);
  const numbers = rows.map(({ row }) => row);
  const found = Map.groupBy(await readFoundValues(db, of, numbers), ({ row }) => row);
  return new Map(
    rows.map(({ row, cells }) => {
      const { values, sources } = overlayValues(readRowValues(cells, mapping), found.get(row) ?? [], []);
      const unedited = (Object.entries(values) as [CanonicalField, string][]).map(([field, value]) => {
        const at = findValueColumn(cells, mapping, field);
        const column = at === undefined ? value : (mapping.columns[at]?.header ?? null);
        return [field, { value, column: sources[field] === 'found' ? null : column }];
      });
      return [row, Object.fromEntries(unedited) as UneditedValues];
    }),
  );
}

/** Counts products by the class of their worst row. */
export const countProducts = (db: Db, { import_id, run }: RunOfRows) =>
  queryRow<Record<RowClass | 'total', number>>(db)`
    with products as (
      select bool_or(class = 'error') as any_error, bool_or(class = 'warning') as any_warning
      from rows where import_id = ${import_id} and run = ${run} and ignored is null group by product
    )
    select count(*)::int as total, count(*) filter (where any_error)::int as error,
      count(*) filter (where any_warning and not any_error)::int as warning,
      count(*) filter (where not any_warning and not any_error)::int as valid
    from products`;
