import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { titleOf } from '@draftshelf/domain/products/draft-product';
import { givesWay } from '@draftshelf/domain/products/images';
import { readRowValues, valueColumn } from '@draftshelf/domain/reading/row-values';
import type { RowClass } from '@draftshelf/domain/review/row-rule';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { type RunOfRows, readParseRun } from '../work/runs.ts';
import {
  type EffectiveRow,
  readFirstRows,
  readFoundValues,
  readRowsOfProducts,
  rowsOfProduct,
} from './effective-rows.ts';

/** Place of a row among the rows of its product, from 1. */
export type RowPlace = { row: number; place: number; rows: number };

/**
 * Only products of several rows. As in `rowsOfProduct`, binary searches bound the rows of each product, here for a page
 * with one statement. Without `offset 0` the planner, which has no statistics of a fresh run, reads all its rows: 84 ms
 * instead of 2 ms for 60,000 rows.
 */
export async function readRowPlaces(
  db: Db,
  of: RunOfRows,
  rows: readonly Pick<EffectiveRow, 'row' | 'product' | 'ignored'>[],
): Promise<Map<number, RowPlace>> {
  const products = [...new Set(rows.filter(({ ignored }) => ignored === null).map(({ product }) => product))];
  if (products.length === 0) return new Map();
  const ofRun = sql`rows.import_id = ${of.import_id} and rows.run = ${of.run}`;
  const { rows: places } = await sql<RowPlace>`
    with recursive halving (product, low, high) as (
      select sought.product, bound.first_row, bound.end_row
      from (select distinct unnest(${products.flatMap((one) => [one, one + 1])}::int[]) as product) sought
      cross join lateral (
        select coalesce(min(first_row), 1) as first_row, coalesce(max(first_row + rows), 1) as end_row
        from chunks
        where import_id = ${of.import_id} and stage = 'parse' and run = ${of.run} and kind = 'work'
          and first_product <= sought.product and first_product + products >= sought.product
      ) bound
      union all
      select halving.product,
        case when probe.product < halving.product then probe.row + 1 else low end,
        case when probe.product < halving.product then high else middle end
      from halving
      cross join lateral (select (low + high) / 2 as middle) half
      left join lateral (
        select rows.row, rows.product from rows
        where ${ofRun} and rows.row >= middle and rows.row < high and not joined and ignored is null
        order by rows.row limit 1
      ) probe on true
      where low < high
    ), edge as materialized (
      select product, min(low) as row from halving where low >= high group by product
    ), of_product as (
      select rows.row, rows.product from edge begin_edge
      join edge end_edge on end_edge.product = begin_edge.product + 1
      cross join lateral (
        select row, product from rows
        where ${ofRun} and rows.row >= begin_edge.row and rows.row < end_edge.row
          and product = begin_edge.product and not joined and ignored is null
        offset 0
      ) rows
      where begin_edge.product = any(${products}::int[])
      union all
      select row, product from rows
      where ${ofRun} and joined and product = any(${products}::int[]) and ignored is null
    ), placed as (
      select row, row_number() over (partition by product order by row)::int as place,
        count(*) over (partition by product)::int as rows
      from of_product
    )
    select row, place, rows from placed
    where rows > 1 and row = any(${rows.map(({ row }) => row)}::int[])`.execute(db);
  return new Map(places.map((place) => [place.row, place]));
}

/** Titles by product; any row of a product may have it. */
export async function readProductTitles(
  db: Db,
  of: RunOfRows,
  products: readonly number[],
): Promise<Map<number, string>> {
  const firsts = await readFirstRows(db, of, products);
  const titles = new Map([...firsts].map(([product, row]) => [product, titleOf([row.values])]));
  const untitled = products.filter((product) => !titles.get(product));
  const others = Map.groupBy(await readRowsOfProducts(db, of, untitled), ({ product }) => product);
  for (const [product, rows] of others) titles.set(product, titleOf(rows.map(({ values }) => values)));
  return titles;
}

/** Bytes of stored cells that are read at a time. A single row may exceed them. */
const cellBytesMax = 4 * 1024 * 1024;

/**
 * The first row of a product, at most `limit` rows from `from` on, and its number of rows; null for no such product.
 */
export async function findProductRows(
  db: Db,
  of: RunOfRows,
  product: number,
  { from, limit }: { from: number; limit: number },
): Promise<{ first: number; numbers: number[]; total: number } | null> {
  const sizes = rowsOfProduct(sql`row, pg_column_size(cells) as bytes`, of, product);
  const { rows } = await sql<{ row: number; bytes: number }>`
    select row, bytes from (${sizes}) sizes order by row`.execute(db);
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

/** `column`: the name of its column; null if the value was found. */
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
      const values: UneditedValues = {};
      for (const { field, value } of found.get(row) ?? []) {
        values[field as CanonicalField] = { value, column: null };
      }
      for (const [name, value] of Object.entries(readRowValues(cells, mapping))) {
        const field = name as CanonicalField;
        if (values[field] !== undefined && givesWay(field, value)) continue;
        const at = valueColumn(cells, mapping, field);
        values[field] = { value, column: at === undefined ? value : (mapping.columns[at]?.header ?? null) };
      }
      return [row, values];
    }),
  );
}

/** Counts products by the class of their worst row. */
export async function countProducts(
  db: Db,
  { import_id, run }: RunOfRows,
): Promise<Record<RowClass | 'total', number>> {
  const { rows } = await sql<{ total: number; error: number; warning: number }>`
    with products as (
      select bool_or(class = 'error') as any_error, bool_or(class = 'warning') as any_warning
      from rows where import_id = ${import_id} and run = ${run} and ignored is null group by product
    )
    select count(*)::int as total, count(*) filter (where any_error)::int as error,
      count(*) filter (where any_warning and not any_error)::int as warning
    from products`.execute(db);
  const { total = 0, error = 0, warning = 0 } = rows[0] ?? {};
  return { total, error, warning, valid: total - error - warning };
}
