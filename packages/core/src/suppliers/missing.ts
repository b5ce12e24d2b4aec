import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { currentRows } from '../work/runs.ts';

/** An item of the last counted list that a list lacks. `url`, `product`: where it is in a store. */
export type MissingItem = {
  key: string;
  title: string | null;
  price: number | null;
  quantity: number | null;
  url: string | null;
  product: string | null;
};

/** The items that a list lacks, by key after `after`, at most `limit`. */
export async function pageMissing(
  db: Db,
  record: ImportRecord,
  supplier: number,
  { after, limit }: { after: string; limit: number },
): Promise<MissingItem[]> {
  const { import_id, run } = currentRows(record);
  const { rows } = await sql<MissingItem>`
    select missing.key, items.title, items.price, items.quantity, in_store.url, in_store.product from (
      select key from missing_items where import_id = ${import_id} and run = ${run} and key > ${after}
      order by key limit ${limit}
    ) missing
    left join supplier_items items on items.supplier = ${supplier} and items.key = missing.key
    left join lateral (
      select url, store_product_id as product from listings join shops on shops.shop = listings.shop
      where listings.our_id = items.our_id and store_product_id is not null limit 1
    ) in_store on true
    order by missing.key`.execute(db);
  return rows;
}
