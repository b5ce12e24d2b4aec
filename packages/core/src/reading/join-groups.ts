import { groupingOf, productRowsMax } from '@draftshelf/domain/products/grouping';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { runWithoutNestedLoops } from '../connection/planner.ts';
import { changeRows, queryValue, queryValues } from '../connection/query-rows.ts';
import { type RunOfRows, readParseRun } from '../work/runs.ts';

/** Finds rows of one group that are apart in the file, up to the store's limit of variants. Prepares moveJoinedRows. */
export async function insertRowJoins(db: Db, of: RunOfRows): Promise<void> {
  const { import_id, run } = of;
  const { mapping, isPartial } = await readParseRun(db, of);
  if (groupingOf(mapping).kind === 'none' && !isPartial) return;
  await sql`
    with keyed as (
      select row, product, group_key,
        (row_number() over (partition by group_key order by row) - 1) / ${sql.lit(productRowsMax)} as part
      from rows
      where import_id = ${import_id} and run = ${run} and group_key is not null and ignored is null
    ), grouped as (
      select row, product, first_value(product) over (partition by group_key, part order by row) as first_product
      from keyed
    )
    insert into row_joins (import_id, run, row, product)
    select ${import_id}, ${run}, row, first_product from grouped where product <> first_product
    on conflict do nothing`.execute(db);
}

const rowsPerBatch = 20_000;

/** Moves the next joined rows after `at` to their products. Returns the last of these rows, or null if none is left. */
export async function moveJoinedRows(db: Db, { import_id, run }: RunOfRows, at: number) {
  const last = await queryValue<number | null>(db)`
    select max(row) as last from (
      select row from row_joins where import_id = ${import_id} and run = ${run} and row > ${at}
      order by row limit ${sql.lit(rowsPerBatch)}
    ) batch`;
  if (last === null) return null;
  // For a fresh run, the planner assumes a single row, so nested loops would compare each row with every other one.
  await runWithoutNestedLoops(db, () =>
    sql`
      update rows set product = row_joins.product, joined = true from row_joins
      where rows.import_id = ${import_id} and rows.run = ${run} and rows.row > ${at} and rows.row <= ${last}
        and row_joins.import_id = ${import_id} and row_joins.run = ${run}
          and row_joins.row = rows.row`.execute(db),
  );
  return last;
}

const productsPerRead = 200;

/** Returns the next products that have joined rows, in the order of their numbers, after number `at`. */
export const readJoinedProducts = (db: Db, { import_id, run }: RunOfRows, at: number) =>
  queryValues<number>(db)`
    select distinct product from row_joins
    where import_id = ${import_id} and run = ${run} and product > ${at}
    order by product limit ${sql.lit(productsPerRead)}`;

export const deleteRowJoins = async (db: Db, { import_id, run }: RunOfRows): Promise<boolean> =>
  (await changeRows(db)`delete from row_joins where import_id = ${import_id} and run = ${run}`) > 0;

/** Marks the first row of each product, even if the product's earlier first row was joined to another product. */
export async function markFirstRows(db: Db, { import_id, run }: RunOfRows): Promise<void> {
  await runWithoutNestedLoops(db, () =>
    sql`
      update rows set is_first = true from (
        select min(row) as row from rows
        where import_id = ${import_id} and run = ${run} and ignored is null and not joined group by product
      ) first
      where import_id = ${import_id} and run = ${run} and rows.row = first.row and not is_first`.execute(db),
  );
}
