import { sql } from 'kysely';
import { ofRun } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';

type PushRun = { import_id: string; run: number };

/** The shop that a push run pushes to, or null before its first chunk. */
export async function readRunShop(db: Db, run: PushRun): Promise<string | null> {
  const row = await db
    .selectFrom('runs')
    .select('shop')
    .where(ofRun({ ...run, stage: 'push' }))
    .executeTakeFirst();
  return row?.shop ?? null;
}

/** A shop: its myshopify domain, its address, and the currency of its prices. */
export type Shop = { shop: string; url: string; currency: string };

/** Records where a shop is, and in which currency it takes prices unless that is not known. */
export async function recordShop(
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

/** Sets the shop of a push run unless it is set, and returns it. Also records where the shop is. */
export async function claimRunShop(db: Db, run: PushRun, at: Shop): Promise<string> {
  await recordShop(db, at);
  const row = await db
    .updateTable('runs')
    .set({ shop: sql`coalesce(shop, ${at.shop})` })
    .where(ofRun({ ...run, stage: 'push' }))
    .returning('shop')
    .executeTakeFirst();
  return row?.shop ?? at.shop;
}

/** The address of the store of each push run of an import. */
export async function readRunStores(db: Db, importId: string): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('runs')
    .innerJoin('shops', 'shops.shop', 'runs.shop')
    .select(['runs.run', 'shops.url'])
    .where('runs.import_id', '=', importId)
    .where('runs.stage', '=', 'push')
    .execute();
  return new Map(rows.map(({ run, url }) => [run, url]));
}
