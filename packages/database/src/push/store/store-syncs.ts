import type { CopiedProduct } from '@draftshelf/domain/push/copied-product';
import { type ExpressionBuilder, sql } from 'kysely';
import { ago, isWithin } from '../../connection/clock.ts';
import type { Db } from '../../connection/database.ts';
import type { Schema, StoreSyncRecord } from '../../connection/schema.ts';
import { copyProducts, removeUnseen } from './store-products.ts';

/** A sync whose process has stored nothing for this long is dead; another one continues it. */
const silentMsMax = 60_000;
/** An interrupted sync this old begins again: too much has changed since. */
const resumedMsMax = 3_600_000;

/** A sync that a process runs. `stored`: when it was stored last, by which a sync that was taken over is recognized. */
export type RunningSync = StoreSyncRecord & { stored: string };

const storedAt = sql<string>`changed_at::text`.as('stored');

/** Whether the sync is still the one that its process stored last. */
const isStill =
  ({ shop, stored }: Pick<RunningSync, 'shop' | 'stored'>) =>
  (eb: ExpressionBuilder<Schema, 'store_syncs'>) =>
    eb.and([eb('shop', '=', shop), eb('ended_at', 'is', null), sql<boolean>`changed_at::text = ${stored}`]);

/** The latest sync of a shop, or undefined before the first one. */
export async function readSync(db: Db, shop: string): Promise<StoreSyncRecord | undefined> {
  return db.selectFrom('store_syncs').selectAll().where('shop', '=', shop).executeTakeFirst();
}

/**
 * Begins a sync of a shop, or continues one that was interrupted where it stopped. Returns undefined while another
 * process runs one.
 */
export async function beginSync(db: Db, shop: string): Promise<RunningSync | undefined> {
  const interrupted = sql`(sync.ended_at is null or sync.error is not null) and sync.started_at > ${ago(resumedMsMax)}`;
  const { rows } = await sql<RunningSync>`
    insert into store_syncs as sync (shop) values (${shop})
    on conflict (shop) do update set
      started_at = case when ${interrupted} then sync.started_at else excluded.started_at end,
      cursor = case when ${interrupted} then sync.cursor end,
      synced = case when ${interrupted} then sync.synced else 0 end,
      total = case when ${interrupted} then sync.total end,
      changed_at = excluded.changed_at, ended_at = null, error = null
    where sync.ended_at is not null or not ${isWithin(sql.ref('sync.changed_at'), silentMsMax)}
    returning *, changed_at::text as stored`.execute(db);
  return rows[0];
}

/**
 * Stores a page of a running sync and its progress. `next`: the cursor after it; null: it was the last page. Returns
 * undefined, and stores nothing, when another process has taken the sync over because this one was silent for too long.
 */
export async function storeSyncPage(
  db: Db,
  sync: Pick<RunningSync, 'shop' | 'started_at' | 'stored'>,
  page: { products: readonly CopiedProduct[]; next: string | null; total: number | null },
): Promise<RunningSync | undefined> {
  const isLast = page.next === null;
  const stored = await db
    .updateTable('store_syncs')
    .set({
      cursor: page.next,
      synced: sql`synced + ${page.products.length}`,
      ...(page.total === null ? {} : { total: page.total }),
      changed_at: sql`clock_timestamp()`,
      ...(isLast ? { ended_at: sql<Date>`clock_timestamp()` } : {}),
    })
    .where(isStill(sync))
    .returningAll()
    .returning(storedAt)
    .executeTakeFirst();
  if (!stored) return undefined;
  await copyProducts(db, sync.shop, page.products);
  if (isLast) await removeUnseen(db, sync.shop, sync.started_at);
  return stored;
}

/** Ends a sync that could not continue, unless it was taken over; the next one continues where it stopped. */
export async function failSync(
  db: Db,
  sync: Pick<RunningSync, 'shop' | 'stored'>,
  error: string,
): Promise<void> {
  await db
    .updateTable('store_syncs')
    .set({ error, ended_at: sql<Date>`clock_timestamp()` })
    .where(isStill(sync))
    .execute();
}
