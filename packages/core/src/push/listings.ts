import { sql } from 'kysely';
import { isRecent } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { findRow, queryRows, queryValues } from '../connection/query-rows.ts';
import type { ListingRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { endKeyClaims } from './key-claims.ts';
import { sendingReset } from './sending.ts';

/**
 * `version` changes with every update. `knows_keys`: whether the store still has the idempotency keys of the pending
 * write, if any. `before`: the product before our last write. Null if that write created it, or if it was read since.
 */
export type VersionedListing = ListingRecord & {
  version: string;
  knows_keys: boolean | null;
  before: object | null;
};

/** Shopify forgets idempotency keys after 24 hours. One hour is left for calls in flight. */
const keysMsMax = 23 * 3_600_000;

const versioned = (shop: string, ourIds: readonly string[]) => sql`
  select *, xmin::text as version, ${isRecent(sql.ref('listings.sending_at'), keysMsMax)} as knows_keys,
    case when baseline is null then (select pushed_states.before from pushed_states where id = listings.state_id) end
      as before
  from listings where shop = ${shop} and our_id = any(${ourIds}::text[])`;

/** Finds listings in a shop by our id. Products that were never sent there are absent. */
export async function findListings(
  db: Db,
  shop: string,
  ourIds: readonly string[],
): Promise<Map<string, VersionedListing>> {
  if (ourIds.length === 0) return new Map();
  const rows = await queryRows<VersionedListing>(db)`${versioned(shop, ourIds)}`;
  return new Map(rows.map((row) => [row.our_id, row]));
}

/** Returns whether a product is in the store or is being sent. */
export const isSentOrBeingSent = (listing: ListingRecord | null | undefined): boolean =>
  listing != null && (listing.store_product_id !== null || listing.sending !== null);

export type SentListing = {
  ourId: string;
  storeProductId: string;
  handle: string | null;
  sent: object;
  sentHash: string;
  source: object | null;
};

/** `baseline` is null if the product may have changed since our write. */
export type AdoptedListing = SentListing & { baseline: object | null };

/** Records that a store product, which equals our payload, is ours. */
export async function adoptListing(db: Db, shop: string, listing: AdoptedListing): Promise<void> {
  const { ourId, storeProductId, handle, sent, sentHash, source, baseline } = listing;
  await sql`
    insert into listings (shop, our_id, store_product_id, handle, sent, sent_hash, source, baseline)
    values (${shop}, ${ourId}, ${storeProductId}, ${handle}, ${storableJson(sent)}, ${sentHash}, ${jsonOf(source)},
      ${jsonOf(baseline)})
    on conflict (shop, our_id) do update set store_product_id = excluded.store_product_id, handle = excluded.handle,
      sent = excluded.sent, sent_hash = excluded.sent_hash, source = excluded.source, baseline = excluded.baseline
    where listings.store_product_id is null and listings.sending is null`.execute(db);
}

const jsonOf = (value: object | null) => value && storableJson(value);

const sentColumns = {
  ourId: 'text',
  storeProductId: 'text',
  handle: 'text',
  sent: 'text',
  sentHash: 'text',
  source: 'text',
  stateId: 'bigint',
} as const;

/** Records that the store has these payloads, and ends their sending. Listings without a state stay unchanged. */
export async function recordSentListings(
  db: Db,
  shop: string,
  arrived: readonly SentListing[],
  states: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = arrived.flatMap((listing) => {
    const stateId = states.get(listing.ourId);
    const [sent, source] = [storableJson(listing.sent), jsonOf(listing.source)];
    return stateId === undefined ? [] : [{ ...listing, sent, source, stateId }];
  });
  if (rows.length === 0) return;
  // The old baseline is older than the write, so it is removed. Reading the product back sets a new baseline.
  await sql`
    update listings set store_product_id = given.store_product_id, handle = given.handle, sent = given.sent::json,
      sent_hash = given.sent_hash, source = given.source::json, baseline = null, baseline_read_at = null,
      state_id = given.state_id, ${sendingReset}, kept = sending_kept, pushed_at = clock_timestamp()
    from ${unnestRows('given', rows, sentColumns)}
    where listings.shop = ${shop} and listings.our_id = given.our_id`.execute(db);
  const sent = rows.map(({ ourId }) => ourId);
  await endKeyClaims(db, shop, sent);
}

/** `version`: the listing's version when the listing was read. */
export type NewBaseline = { ourId: string; baseline: object; version: string };

/**
 * Stores products read after a push as baselines for drift. A listing changed since `version` keeps its baseline,
 * because another sender may have written the product. The first replaced baseline is kept in the pushed state.
 */
export async function recordBaselines(db: Db, shop: string, read: readonly NewBaseline[]): Promise<void> {
  if (read.length === 0) return;
  const rows = read.map((product) => ({ ...product, baseline: storableJson(product.baseline) }));
  await sql`
    with given as (
      select * from ${unnestRows('given', rows, { ourId: 'text', baseline: 'text', version: 'text' })}
    ), kept as (
      update pushed_states set after = listings.baseline, after_read_at = listings.baseline_read_at
      from listings join given on given.our_id = listings.our_id and given.version = listings.xmin::text
      where listings.shop = ${shop} and listings.baseline is not null
        and pushed_states.id = listings.state_id and pushed_states.after is null
    )
    update listings set baseline = given.baseline::json, baseline_read_at = clock_timestamp() from given
    where listings.shop = ${shop} and listings.our_id = given.our_id
      and listings.xmin::text = given.version`.execute(db);
}

export type ListingInStore = VersionedListing & { store_product_id: string };

/** Lists pushed products that have not been read back from the store. */
export async function listProductsToReadBack(
  db: Db,
  shop: string,
  ourIds: readonly string[],
): Promise<ListingInStore[]> {
  if (ourIds.length === 0) return [];
  return queryRows<ListingInStore>(db)`
    ${versioned(shop, ourIds)} and store_product_id is not null and baseline is null order by our_id`;
}

export const listSendingIds = (db: Db, importId: string, ourIds: readonly string[]) =>
  queryValues<string>(db)`
    select our_id from listings join chunks on chunks.id = sending_chunk
    where our_id = any(${ourIds}::text[]) and sending is not null and chunks.import_id = ${importId}`;

type Product = { shop: string; ourId: string };

/** Locks a listing for an undo. Returns whether `chunk` sends it or, if nothing sends it, `version` is unchanged. */
export async function lockListing(
  db: Db,
  { shop, ourId }: Product,
  { version, chunk }: { version: string | undefined; chunk: number },
): Promise<boolean> {
  const listing = await findRow<{ sendingChunk: number | null; isSending: boolean; version: string }>(db)`
    select sending_chunk as "sendingChunk", sending is not null as "isSending", xmin::text as version
    from listings where shop = ${shop} and our_id = ${ourId} for update`;
  if (listing?.isSending) return listing.sendingChunk === chunk;
  return listing?.version === version;
}

/** Removes the listing and keys of a product that was deleted or handed back to the merchant. */
export async function removeListing(db: Db, { shop, ourId }: Product): Promise<void> {
  await sql`delete from product_keys where shop = ${shop} and our_id = ${ourId}`.execute(db);
  await sql`delete from listings where shop = ${shop} and our_id = ${ourId}`.execute(db);
}

export type UndoneListing = {
  sent: { draft: object; hash: string | null; source: object | null };
  /** The product as read after the undo. Null if it was not read. */
  baseline: object | null;
  /** Earlier values of fields that others have changed. Drift of these fields is measured against these values. */
  kept: object | null;
};

/** Sets a listing to the store's state after an undo and ends its sending. */
export async function restoreListing(
  db: Db,
  { shop, ourId }: Product,
  { sent, baseline, kept }: UndoneListing,
): Promise<void> {
  await sql`
    update listings set sent = ${storableJson(sent.draft)}, sent_hash = ${sent.hash}, source = ${jsonOf(sent.source)},
      baseline = ${jsonOf(baseline)}, baseline_read_at = ${baseline && sql`clock_timestamp()`}, state_id = null,
      kept = ${jsonOf(kept)}, ${sendingReset}
    where shop = ${shop} and our_id = ${ourId}`.execute(db);
}
