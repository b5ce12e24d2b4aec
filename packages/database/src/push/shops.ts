import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/** A shop: its myshopify domain, its address, and the currency of its prices. */
export type Shop = { shop: string; url: string; currency: string };

/** Stores the address of a shop, and its currency unless that is null. */
export async function upsertShop(
  db: Db,
  { shop, url, currency }: Omit<Shop, 'currency'> & { currency: string | null },
): Promise<void> {
  const known = sql<string | null>`coalesce(${currency}, shops.currency)`;
  await db
    .insertInto('shops')
    .values({ shop, url, currency })
    .onConflict((conflict) =>
      conflict
        .column('shop')
        .doUpdateSet({ url, currency: known })
        .where(sql<boolean>`(shops.url, shops.currency) is distinct from (${url}, ${known})`),
    )
    .execute();
}

/** The currency of the shop at an address, or null if it has not answered yet. */
export async function readCurrency(db: Db, url: string): Promise<string | null> {
  const row = await db
    .selectFrom('shops')
    .select('currency')
    .where('url', '=', url)
    .where('currency', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row?.currency ?? null;
}

/** The myshopify domain of the shop at an address, or null if it has not answered yet. */
export async function readShopAt(db: Db, url: string): Promise<string | null> {
  const row = await db.selectFrom('shops').select('shop').where('url', '=', url).limit(1).executeTakeFirst();
  return row?.shop ?? null;
}
