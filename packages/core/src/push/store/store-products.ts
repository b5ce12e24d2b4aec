import type { CopiedProduct } from '@draftshelf/domain/push/copied-product';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { findValue, queryRows, queryValue, queryValues } from '../../connection/query-rows.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { connectedShop } from '../../enrich/store-answers.ts';

/** Stores products in our copy of a shop, unless the copy is newer. */
export async function copyProducts(db: Db, shop: string, products: readonly CopiedProduct[]): Promise<void> {
  if (products.length === 0) return;
  // Sorted by id, because a push and a sync may store the same products at once and would otherwise deadlock.
  const sorted = products.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await sql`
    insert into store_products as copy (shop, id, our_id, title, vendor, type, status, handle, skus, gtins, price,
      quantity, image, updated_at, seen_at)
    select ${shop}, id, "ourId", title, vendor, type, status, handle, skus, gtins, price, quantity, image, "updatedAt",
      clock_timestamp()
    from json_to_recordset(${storableJson(sorted)}::json) as given (id text, "ourId" text, title text, vendor text,
      type text, status text, handle text, skus text[], gtins text[], price text, quantity int, image text,
      "updatedAt" timestamptz)
    on conflict (shop, id) do update set our_id = excluded.our_id, title = excluded.title, vendor = excluded.vendor,
      type = excluded.type, status = excluded.status, handle = excluded.handle, skus = excluded.skus,
      gtins = excluded.gtins, price = excluded.price, quantity = coalesce(excluded.quantity, copy.quantity),
      image = coalesce(excluded.image, copy.image), updated_at = excluded.updated_at, seen_at = excluded.seen_at
    where copy.updated_at <= excluded.updated_at`.execute(db);
  await sql`
    update store_products set seen_at = clock_timestamp()
    where shop = ${shop} and id = any(${sorted.map(({ id }) => id)}::text[])`.execute(db);
}

/** Removes products that no sync has seen since `since`. Removes none if the clock was set back. */
export async function removeUnseenCopies(db: Db, shop: string, since: Date): Promise<void> {
  await sql`
    delete from store_products
    where shop = ${shop} and seen_at < ${since} and clock_timestamp() >= ${since}::timestamptz`.execute(db);
}

export async function removeCopies(db: Db, shop: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from store_products where shop = ${shop} and id = any(${ids}::text[])`.execute(db);
}

export const readStoreTitle = (db: Db, shop: string, id: string) =>
  findValue<string>(db)`select title from store_products where shop = ${shop} and id = ${id}`;

/** Lists the connected store's product types, most frequent first. */
export const listStoreTypes = (db: Db, limit: number) =>
  queryValues<string>(db)`
    select type from store_products where shop in ${connectedShop} and type <> ''
    group by type order by count(*) desc, type limit ${limit}`;

/** Number of prices read. The median of this sample is close to the median of all prices. */
const pricesMax = 2_000;

/** Reads the median price in our copy of the connected store. Null if the copy has no prices. */
export const readMedianPrice = (db: Db) =>
  queryValue<number | null>(db)`
    select percentile_cont(0.5) within group (order by price::float8) as median from (
      select price from store_products where shop in ${connectedShop} and price ~ '^[0-9]{1,12}([.][0-9]+)?$'
      order by id limit ${pricesMax}
    ) priced where price::float8 > 0`;

const titlesPerPage = 5_000;

/** Reads the next 5,000 titles, types and vendors in our copy of a shop, after an id. */
export const readCopiedTitles = (db: Db, shop: string, after: string) =>
  queryRows<Pick<CopiedProduct, 'id' | 'title' | 'type' | 'vendor'>>(db)`
    select id, title, type, vendor from store_products
    where shop = ${shop} and id > ${after} order by id limit ${titlesPerPage}`;

/** Finds product ids in our copy of a shop, by our id. */
export async function findCopiedIds(
  db: Db,
  shop: string,
  ourIds: readonly string[],
): Promise<Map<string, string>> {
  if (ourIds.length === 0) return new Map();
  const rows = await queryRows<{ id: string; our_id: string }>(db)`
    select id, our_id from store_products where shop = ${shop} and our_id = any(${ourIds}::text[])`;
  return new Map(rows.map(({ id, our_id }) => [our_id, id]));
}
