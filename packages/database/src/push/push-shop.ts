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

/** Sets the shop of a push run unless it is set, and returns it. Also records where the shop is. */
export async function claimRunShop(db: Db, run: PushRun, at: { shop: string; url: string }): Promise<string> {
  await recordShop(db, at);
  const row = await db
    .updateTable('runs')
    .set({ shop: sql`coalesce(shop, ${at.shop})` })
    .where(ofRun({ ...run, stage: 'push' }))
    .returning('shop')
    .executeTakeFirst();
  return row?.shop ?? at.shop;
}

/** Records where a shop is. */
export async function recordShop(db: Db, at: { shop: string; url: string }): Promise<void> {
  await db
    .insertInto('shops')
    .values(at)
    .onConflict((conflict) =>
      conflict.column('shop').doUpdateSet({ url: at.url }).where('shops.url', '<>', at.url),
    )
    .execute();
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
