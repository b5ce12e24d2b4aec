import { sql } from 'kysely';
import { shopifyService } from '../../access/credentials.ts';
import type { Db } from '../../connection/database.ts';
import { findRow, findValue } from '../../connection/query-rows.ts';

export type Shop = { shop: string; url: string; currency: string };

/** Stores the address of a shop, and its currency unless `currency` is null. */
export async function upsertShop(
  db: Db,
  { shop, url, currency }: Omit<Shop, 'currency'> & { currency: string | null },
): Promise<void> {
  await sql`
    insert into shops (shop, url, currency) values (${shop}, ${url}, ${currency})
    on conflict (shop) do update set url = excluded.url, currency = coalesce(excluded.currency, shops.currency)
    where (shops.url, shops.currency)
      is distinct from (excluded.url, coalesce(excluded.currency, shops.currency))`.execute(db);
}

/** Reads the connected store's currency. A store that the environment names (`serverUrl`) overrides credentials. */
export async function readStoreCurrency(db: Db, serverUrl: string | null): Promise<string | null> {
  const isConnected =
    serverUrl === null
      ? sql`shop in (select shop from credentials where service = ${shopifyService} and replaced_at is null)`
      : sql`url = ${new URL(serverUrl).origin}`;
  return findValue<string>(db)`
    select currency from shops where currency is not null and ${isConnected} limit 1`;
}

/** Finds the shop at an address. Null if the store has not answered yet. `currency` is null until it is read. */
export async function findShopByUrl(db: Db, url: string) {
  const found = await findRow<{ shop: string; currency: string | null }>(db)`
    select shop, currency from shops where url = ${url} limit 1`;
  return found ?? null;
}

export const readShopUrl = (db: Db, shop: string) =>
  findValue<string>(db)`select url from shops where shop = ${shop}`;
