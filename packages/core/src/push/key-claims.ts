import type { ProductKey, ProductKeyKind } from '@draftshelf/domain/products/product-keys';
import type { KeyOwner } from '@draftshelf/domain/push/match-standing';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import { storableJson } from '../connection/storable-json.ts';
import { holderJoin } from '../work/claim-chunk.ts';

type ClaimedKey = { kind: ProductKeyKind | 'product'; value: string };

/** `since`: when the search of the store for the keys began, by Postgres' clock. Null if there was no search. */
export type KeyClaims = { keys: readonly ClaimedKey[]; since: Date | null };

/** Longest lease of a call in milliseconds. A longer remaining lease counts as ended: the clock was set back. */
const leaseMsMax = 120_000;

/** SQL condition: a sender is dead, because its chunk has no worker or the lease of its call has ended. */
export const isSenderDead = (chunk: RawBuilder<unknown>, until: RawBuilder<unknown>) => sql<boolean>`(
  not exists (
    select 1 from chunks ${holderJoin}
    where chunks.id = ${chunk})
  and (${until} is null or ${until} < clock_timestamp()
    or ${until} > clock_timestamp() + ${sql.lit(leaseMsMax)} * interval '1 millisecond'))`;

/** Time in milliseconds after which a dead sender's last request has certainly reached the store. */
const arrivalMsMax = 10_000;

/**
 * SQL: claims keys for the sender of `begun`, one row per key. A key held by a product of another import, or a store
 * product's id held by any other product, is refused until that product is sent and the caller has searched the store
 * since. If the holder is dead, the search must begin 10 s after the holder's claim. Reads the current columns of a
 * claim, even if they are newer than the snapshot. Sorts keys to avoid deadlocks.
 */
export const claimKeys = (shop: string, ourId: string, { keys, since }: KeyClaims) => sql`
  insert into key_claims as held (shop, kind, value, our_id, import_id, chunk, until)
  select ${shop}, kind, value, ${ourId}, begun.import_id, begun.chunk, begun.until
  from begun, json_to_recordset(${storableJson(keys)}::json) as given (kind text, value text)
  order by kind, value
  on conflict (shop, kind, value) do update set our_id = excluded.our_id, import_id = excluded.import_id,
    chunk = excluded.chunk, until = excluded.until, claimed_at = clock_timestamp(), ended_at = null
  where held.our_id = excluded.our_id or (held.import_id = excluded.import_id and held.kind <> 'product')
    or case when held.ended_at is null
      then held.claimed_at not between ${looked(since)} - ${sql.lit(arrivalMsMax)} * interval '1 millisecond'
        and clock_timestamp() and ${isSenderDead(sql`held.chunk`, sql`held.until`)}
      else held.ended_at not between ${looked(since)} and clock_timestamp() end
  returning 1`;

const looked = (since: Date | null) => sql`${since ?? 'infinity'}::timestamptz`;

/** Records that products are no longer being sent. Locks keys in the order in which they are claimed. */
export async function endKeyClaims(db: Db, shop: string, ourIds: readonly string[]): Promise<void> {
  if (ourIds.length === 0) return;
  await sql`
    with held as (
      select kind, value from key_claims
      where shop = ${shop} and our_id = any(${ourIds}::text[]) and ended_at is null
      order by kind, value for update
    )
    update key_claims set ended_at = clock_timestamp() from held
    where shop = ${shop} and key_claims.kind = held.kind and key_claims.value = held.value`.execute(db);
}

/** A claim by another product. `wanted`: our id of the caller's product that has the same key. */
type Claimed = {
  wanted: string;
  kind: ProductKeyKind;
  ourId: string;
  owner: KeyOwner;
  supplier: string | null;
  itemNumbers: string[];
};

/**
 * Finds other imports' products that have a key of this import's new products and whose write has not ended or got no
 * response. Excludes item numbers of other suppliers. Call it before reading the keys of sent products, so that a
 * write that ends in between is found among those keys.
 */
export async function findClaimedProducts(
  db: Db,
  shop: string,
  importId: string | null,
  products: readonly { ourId: string; keys: readonly ProductKey[] }[],
): Promise<Claimed[]> {
  const given = products.flatMap(({ ourId, keys }) => keys.map((key) => ({ ...key, wanted: ourId })));
  if (given.length === 0) return [];
  return queryRows<Claimed>(db)`
    select wanted, kind, our_id as "ourId",
      case when theirs.supplier = mine.supplier then 'own' when theirs.supplier <> mine.supplier then 'other' end as owner,
      case when theirs.supplier <> mine.supplier then suppliers.name end as supplier,
      array(select value from key_claims item where item.shop = ${shop} and item.our_id = key_claims.our_id
        and item.kind = 'item' and item.value = key_claims.value) as "itemNumbers"
    from key_claims
    join json_to_recordset(${storableJson(given)}::json) as given (kind text, value text, wanted text)
      using (kind, value)
    left join imports theirs on theirs.id = key_claims.import_id
    left join imports mine on mine.id = ${importId}::uuid
    left join suppliers on suppliers.id = theirs.supplier
    where key_claims.shop = ${shop} and ended_at is null and our_id <> wanted
      and not exists (select 1 from listings where listings.shop = ${shop} and listings.our_id = wanted
        and store_product_id is not null)
      and (${importId}::uuid is null or import_id is distinct from ${importId}::uuid)
      and (kind <> 'item' or coalesce(theirs.supplier = mine.supplier, true))`;
}
