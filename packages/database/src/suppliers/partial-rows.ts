import { changeBit } from '@draftshelf/domain/suppliers/list';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { withoutNestedLoops } from '../connection/planner.ts';
import type { RunOfRows } from '../work/runs.ts';

/**
 * Gives rows whose items are of one product a group key, so that the joins of the run make one product of them. Not
 * rows that have the same key and differ: none of these is certain to be the item.
 */
export async function groupRowsOfItems(
  db: Db,
  { import_id, run }: RunOfRows,
  supplier: number,
): Promise<void> {
  await withoutNestedLoops(db, () =>
    sql`
      with keyed as (
        select row, product, item_key, min(encode(item_hashes, 'hex')) over key as first_hash,
          max(encode(item_hashes, 'hex')) over key as last_hash
        from rows where import_id = ${import_id} and run = ${run} and item_key is not null and ignored is null
        window key as (partition by item_key)
      ), known as (
        select row, our_id, min(product) over ours as first_product, max(product) over ours as last_product
        from keyed join supplier_items on supplier = ${supplier} and key = item_key
        where first_hash is not distinct from last_hash
        window ours as (partition by our_id)
      )
      update rows set group_key = 'item:' || known.our_id from known
      where rows.import_id = ${import_id} and rows.run = ${run} and rows.row = known.row
        and first_product <> last_product`.execute(db),
  );
}

const unknownBits = changeBit('new') + changeBit('doubled') + changeBit('unkeyed') + changeBit('doubtful');

/** Those of some rows that are no known item of their supplier. */
export async function findUnknownRows(
  db: Db,
  { import_id, run }: RunOfRows,
  numbers: readonly number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ row: number }>`
    select number as row from unnest(${numbers}::int[]) given (number)
    where not exists (
      select from row_items where import_id = ${import_id} and run = ${run} and row_items.row = number
        and change & ${sql.lit(unknownBits)} = 0
    )`.execute(db);
  return new Set(rows.map(({ row }) => row));
}
