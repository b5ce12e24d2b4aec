import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ListingRecord } from '../schema.ts';

/** What we know about our product in a shop, or undefined when it was never sent there. */
export async function findListing(db: Db, shop: string, ourId: string): Promise<ListingRecord | undefined> {
  return db
    .selectFrom('listings')
    .selectAll()
    .where('shop', '=', shop)
    .where('our_id', '=', ourId)
    .executeTakeFirst();
}

/** Which of these products this database has recorded as in the store or as being sent. */
export async function findListed(db: Db, shop: string, ourIds: readonly string[]): Promise<Set<string>> {
  if (ourIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('listings')
    .select('our_id')
    .where('shop', '=', shop)
    .where('our_id', 'in', ourIds)
    .where(({ eb, or }) => or([eb('store_product_id', 'is not', null), eb('sending', 'is not', null)]))
    .execute();
  return new Set(rows.map((row) => row.our_id));
}

/** Records a product as ours that the store already has exactly as we would send it. Nothing has to be sent. */
export async function adoptListing(
  db: Db,
  listing: {
    shop: string;
    ourId: string;
    storeProductId: string;
    handle: string;
    sent: object;
    sentHash: string;
    /** Null when somebody may have changed the product since it was written. */
    baseline: object | null;
  },
): Promise<void> {
  await db
    .insertInto('listings')
    .values({
      shop: listing.shop,
      our_id: listing.ourId,
      store_product_id: listing.storeProductId,
      handle: listing.handle,
      sent: JSON.stringify(listing.sent),
      sent_hash: listing.sentHash,
      baseline: listing.baseline && JSON.stringify(listing.baseline),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['shop', 'our_id'])
        .doUpdateSet((row) => ({
          store_product_id: row.ref('excluded.store_product_id'),
          handle: row.ref('excluded.handle'),
          sent: row.ref('excluded.sent'),
          sent_hash: row.ref('excluded.sent_hash'),
          baseline: row.ref('excluded.baseline'),
        }))
        .where('listings.store_product_id', 'is', null)
        .where('listings.sending', 'is', null),
    )
    .execute();
}

/**
 * Sets a listing to `sending` with the payload, before the call. Only one chunk sends a product at a time: returns
 * false when another chunk is sending it. takeOverSending takes over what a dead worker left behind.
 */
export async function beginSending(
  db: Db,
  listing: { shop: string; ourId: string; chunkId: number; payload: object; payloadHash: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into listings (shop, our_id, sending, sending_hash, sending_chunk)
    values (${listing.shop}, ${listing.ourId}, ${JSON.stringify(listing.payload)}, ${listing.payloadHash},
      ${listing.chunkId})
    on conflict (shop, our_id) do update set sending = excluded.sending, sending_hash = excluded.sending_hash,
      sending_chunk = excluded.sending_chunk
    where listings.sending is null or listings.sending_chunk = excluded.sending_chunk
    returning our_id`.execute(db);
  return rows.length > 0;
}

/**
 * Takes over a listing found `sending`. Returns true when it is this chunk's own, or its chunk's worker is dead; false
 * while another worker is sending it, even for a chunk that was dropped or published again in the meantime.
 */
export async function takeOverSending(
  db: Db,
  listing: { shop: string; ourId: string; chunkId: number },
): Promise<boolean> {
  const { rows } = await sql`
    update listings set sending_chunk = ${listing.chunkId}
    where shop = ${listing.shop} and our_id = ${listing.ourId} and sending is not null
      and (sending_chunk = ${listing.chunkId} or not exists (
        select 1 from chunks join pg_stat_activity holder
          on holder.pid = chunks.claim_pid and holder.backend_start = chunks.claim_backend_start
        where chunks.id = listings.sending_chunk))
    returning our_id`.execute(db);
  return rows.length > 0;
}

/** Records that the store has the payload: it is what was sent, and nothing is being sent any more. */
export async function recordSent(
  db: Db,
  listing: {
    shop: string;
    ourId: string;
    storeProductId: string;
    handle: string | null;
    sent: object;
    sentHash: string;
  },
): Promise<void> {
  await db
    .updateTable('listings')
    .set({
      store_product_id: listing.storeProductId,
      handle: listing.handle,
      sent: JSON.stringify(listing.sent),
      sent_hash: listing.sentHash,
      baseline: null, // the store no longer matches the old one; the read-back sets the new one
      sending: null,
      sending_hash: null,
      sending_chunk: null,
      pushed_at: sql`clock_timestamp()`,
    })
    .where('shop', '=', listing.shop)
    .where('our_id', '=', listing.ourId)
    .execute();
}

/** Records that nothing is being sent any more, and that the store does not have the payload. */
export async function endSending(db: Db, listing: { shop: string; ourId: string }): Promise<void> {
  await db
    .updateTable('listings')
    .set({ sending: null, sending_hash: null, sending_chunk: null })
    .where('shop', '=', listing.shop)
    .where('our_id', '=', listing.ourId)
    .execute();
}

/** Stores the store's own, normalized state after a push: the baseline that drift is measured against. */
export async function recordBaseline(
  db: Db,
  listing: { shop: string; ourId: string; baseline: object },
): Promise<void> {
  await db
    .updateTable('listings')
    .set({ baseline: JSON.stringify(listing.baseline) })
    .where('shop', '=', listing.shop)
    .where('our_id', '=', listing.ourId)
    .execute();
}

export type ListingInStore = ListingRecord & { store_product_id: string };

/** Listings of these products that were pushed and whose state in the store has not been read back since. */
export async function listWithoutBaseline(
  db: Db,
  shop: string,
  ourIds: readonly string[],
): Promise<ListingInStore[]> {
  if (ourIds.length === 0) return [];
  return db
    .selectFrom('listings')
    .selectAll()
    .$narrowType<{ store_product_id: string }>()
    .where('shop', '=', shop)
    .where('our_id', 'in', ourIds)
    .where('store_product_id', 'is not', null)
    .where('baseline', 'is', null)
    .execute();
}

/** Whether chunks of an import are sending any of these products. */
export async function isSendingAny(db: Db, importId: string, ourIds: readonly string[]): Promise<boolean> {
  const sending = await db
    .selectFrom('listings')
    .innerJoin('chunks', 'chunks.id', 'listings.sending_chunk')
    .select('listings.our_id')
    .where('listings.our_id', '=', sql<string>`any(${ourIds}::text[])`)
    .where('listings.sending', 'is not', null)
    .where('chunks.import_id', '=', importId)
    .limit(1)
    .executeTakeFirst();
  return sending !== undefined;
}
