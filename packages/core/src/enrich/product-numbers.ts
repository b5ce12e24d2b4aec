import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import type { RunOfRows } from '../work/runs.ts';

/** Reads the numbers of the products that begin in a range. A joined row is never the first of its product. */
export async function readProductNumbers(
  db: Db,
  of: RunOfRows,
  { firstRow, rows }: { firstRow: number; rows: number },
): Promise<number[]> {
  const found = await queryRows<{ product: number }>(db)`
    select distinct product from rows
    where import_id = ${of.import_id} and run = ${of.run} and row >= ${firstRow} and row < ${firstRow + rows}
      and ignored is null and not joined
      and product is distinct from (
        select product from rows before
        where import_id = ${of.import_id} and run = ${of.run} and row < ${firstRow} and ignored is null and not joined
        order by row desc limit 1)
    order by product`;
  return found.map(({ product }) => product);
}
