import type { CopiedProduct } from '@draftshelf/domain/push/copied-product';
import { type RawBuilder, sql } from 'kysely';
import { timeAgo } from '../../connection/clock.ts';
import type { Db } from '../../connection/database.ts';
import { findRow, queryRow } from '../../connection/query-rows.ts';
import type { StoreSyncRecord } from '../../connection/schema.ts';
import { copyProducts, removeUnseenCopies } from './store-products.ts';

/** Maximum age of an interrupted sync that is continued. An older sync starts over, because too much has changed. */
const resumedMsMax = 3_600_000;

export const readStoreSync = (db: Db, shop: string) =>
  findRow<StoreSyncRecord>(db)`select * from store_syncs where shop = ${shop}`;

/** SQL assignments: a sync continues if the condition holds, else a new one begins. */
const continuedIf = (isContinued: RawBuilder<unknown>) => sql`
      started_at = case when ${isContinued} then sync.started_at else excluded.started_at end,
      cursor = case when ${isContinued} then sync.cursor end,
      synced = case when ${isContinued} then sync.synced else 0 end,
      total = case when ${isContinued} then sync.total end`;

/** Begins a sync, or continues an interrupted one. The caller has locked the sync's task. */
export function beginStoreSync(db: Db, shop: string): Promise<StoreSyncRecord> {
  const interrupted = sql`(sync.ended_at is null or sync.error is not null) and sync.started_at > ${timeAgo(resumedMsMax)}`;
  return queryRow<StoreSyncRecord>(db)`
    insert into store_syncs as sync (shop) values (${shop})
    on conflict (shop) do update set ${continuedIf(interrupted)}, changed_at = excluded.changed_at, ended_at = null,
      error = null
    returning *`;
}

/** Stores a page of a running sync. `next`: the next cursor, null on the last page. The caller has locked the task. */
export async function saveSyncPage(
  db: Db,
  sync: Pick<StoreSyncRecord, 'shop' | 'started_at'>,
  page: { products: readonly CopiedProduct[]; next: string | null; total: number | null },
): Promise<StoreSyncRecord> {
  const isLast = page.next === null;
  const stored = await queryRow<StoreSyncRecord>(db)`
    update store_syncs set cursor = ${page.next}, synced = synced + ${page.products.length},
      total = coalesce(${page.total}, total), changed_at = clock_timestamp(),
      ended_at = case when ${isLast} then clock_timestamp() else ended_at end
    where shop = ${sync.shop} returning *`;
  await copyProducts(db, sync.shop, page.products);
  if (isLast) await removeUnseenCopies(db, sync.shop, sync.started_at);
  return stored;
}

/** Stores the failure of a sync, even of a sync that could not begin, so that no old result stays. */
export async function failStoreSync(db: Db, shop: string, error: string): Promise<void> {
  await sql`
    insert into store_syncs as sync (shop, ended_at, error) values (${shop}, clock_timestamp(), ${error})
    on conflict (shop) do update set ${continuedIf(sql`sync.ended_at is null`)}, ended_at = excluded.ended_at,
      error = excluded.error`.execute(db);
}
