import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { storableJson } from '../connection/storable-json.ts';
import type { RunOfRows } from '../work/runs.ts';

/**
 * Gives the items of some products of an import the ids that these were published under, because the operator chose
 * that they are products of another list. The supplier's next list finds them under these. In the order of their keys.
 */
export async function takeItemIds(
  db: Db,
  { import_id, run }: RunOfRows,
  products: readonly { product: number; ourId: string }[],
): Promise<void> {
  if (products.length === 0) return;
  await sql`
    with taken as (
      select items.supplier, items.key, "ourId"
      from json_to_recordset(${storableJson(products)}::json) as given (product int, "ourId" text)
      join rows on rows.import_id = ${import_id} and rows.run = ${run} and rows.product = given.product
      left join row_items found on found.import_id = rows.import_id and found.run = rows.run and found.row = rows.row
      join imports on imports.id = rows.import_id
      join supplier_items items
        on items.supplier = imports.supplier and items.key = coalesce(found.item, rows.item_key)
      where items.our_id <> "ourId" order by items.key for no key update of items
    )
    update supplier_items items set our_id = "ourId" from taken
    where items.supplier = taken.supplier and items.key = taken.key`.execute(db);
}
