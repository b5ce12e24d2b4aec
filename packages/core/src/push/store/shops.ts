import { sql } from 'kysely';
import { storeService } from '../../access/credentials.ts';
import type { Db } from '../../connection/database.ts';

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

/** Reads the connected store's currency. `serverUrl`: the environment's store, which wins over saved credentials. */
export async function readStoreCurrency(db: Db, serverUrl: string | null): Promise<string | null> {
  const shops = db.selectFrom('shops').select('currency').where('currency', 'is not', null).limit(1);
  const row = await (serverUrl === null
    ? shops.where('shop', '=', savedShop(db))
    : shops.where('url', '=', new URL(serverUrl).origin)
  ).executeTakeFirst();
  return row?.currency ?? null;
}

const savedShop = (db: Db) =>
  db
    .selectFrom('credentials')
    .select('shop')
    .where('service', '=', storeService)
    .where('replaced_at', 'is', null);

/** Finds the shop at an address, if it has answered. Its currency is null until it is read. */
export async function readShopAt(db: Db, url: string) {
  const shops = db.selectFrom('shops').select(['shop', 'currency']);
  return (await shops.where('url', '=', url).limit(1).executeTakeFirst()) ?? null;
}

export async function readShopUrl(db: Db, shop: string): Promise<string | null> {
  const row = await db.selectFrom('shops').select('url').where('shop', '=', shop).executeTakeFirst();
  return row?.url ?? null;
}
