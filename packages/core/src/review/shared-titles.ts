import { bitOfChange } from '@draftshelf/domain/suppliers/list';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryFreshRows } from '../connection/planner.ts';
import type { RunOfRows } from '../work/runs.ts';

/** SQL value: the change bits of rows that an earlier list of the supplier also had. */
const known = sql.lit(bitOfChange('unchanged') + bitOfChange('changed') + bitOfChange('returned'));

/** Rows with higher numbers are not searched. */
const rowsMax = 100_000;
const titlesSampled = 50;
const rowsSampled = 500;
const bytesMax = 4 * 1024 * 1024;

/** `rows`: how many rows share title and brand with other rows. `titles`: the cells of some of these rows, by title. */
export type FoundSharedTitles = { rows: number; titles: string[][][] };

/** Finds rows that share title and brand, but not the SKU, with another row. Skips rows known from earlier lists. */
export async function findSharedTitles(db: Db, { import_id, run }: RunOfRows): Promise<FoundSharedTitles> {
  // Without statistics of a fresh run, the planner would compare each row with every other row.
  const found = await queryFreshRows<{ rows: number; title: number; cells: string[] }>(db)`
    with titled as (
      select row, lower(title) as title, lower(coalesce(vendor, '')) as vendor, sku from rows
      where import_id = ${import_id} and run = ${run} and row <= ${rowsMax} and title <> '' and ignored is null
        and line > 0 and not exists (select from row_items items
          where items.import_id = ${import_id} and items.run = ${run} and items.row = rows.row and change & ${known} <> 0)
    ), several as (
      select title, vendor from titled group by title, vendor having count(*) > 1
    ), shared as (
      select title, vendor, count(*) as rows, min(row) as first_row from titled join several using (title, vendor)
      group by title, vendor having count(sku) in (0, count(distinct sku))
    ), sampled as (
      select * from shared order by first_row limit ${titlesSampled}
    ), members as (
      select row, first_row from titled join sampled using (title, vendor) order by first_row, row limit ${rowsSampled}
    )
    select (select sum(rows) from shared)::int as rows, first_row as title, cells from (
      select first_row, cells, sum(pg_column_size(cells)) over (order by first_row, rows.row) as bytes
      from members join rows on rows.import_id = ${import_id} and rows.run = ${run} and rows.row = members.row
    ) sized where bytes <= ${bytesMax} order by bytes`;
  const titles = Map.groupBy(found, ({ title }) => title);
  return {
    rows: found[0]?.rows ?? 0,
    titles: [...titles.values()].map((rows) => rows.map(({ cells }) => cells)),
  };
}
