import type { AuditDifference } from '@draftshelf/domain/operate/audit';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { shownPerPart } from './audit-import.ts';

/** Listings that one statement compares, along an index: about 0.1 s. */
const listingsPerPart = 50_000;

export type ListingPlace = { shop: string; storeProductId: string };

/**
 * Finds products of the store among the next ones after a place that several of our products are linked to. `last`: the
 * last product of the part; null: there are no more.
 */
export async function compareListings(
  db: Db,
  after: ListingPlace,
): Promise<{ differences: AuditDifference[]; listings: number; last: ListingPlace | null }> {
  const { rows } = await sql<ListingPlace & { listings: number; all_listings: number; place: number }>`
    with part as materialized (
      select shop, store_product_id from listings
      where store_product_id is not null
        and (shop, store_product_id) > (${after.shop}::text, ${after.storeProductId}::text)
      order by shop, store_product_id limit ${listingsPerPart}
    ), linked as (
      select shop, store_product_id as "storeProductId", count(*)::int as listings, 1 as place
      from part group by shop, store_product_id having count(*) > 1 limit ${shownPerPart}
    ), ending as (
      select shop, store_product_id as "storeProductId", 0 as listings, 2 as place
      from part order by shop desc, store_product_id desc limit 1
    )
    select found.*, (select count(*)::int from part) as all_listings
    from (select * from linked union all select * from ending) found order by place`.execute(db);
  const ending = rows.find(({ place }) => place === 2);
  const listings = ending?.all_listings ?? 0;
  const differences = rows
    .filter(({ place }) => place === 1)
    .map(
      ({ shop, storeProductId, listings: count }): AuditDifference => ({
        kind: 'listing-twice',
        shop,
        storeProductId,
        listings: count,
      }),
    );
  const last = ending && { shop: ending.shop, storeProductId: ending.storeProductId };
  return { differences, listings, last: listings < listingsPerPart ? null : (last ?? null) };
}

/**
 * Unlinks all of our products from a product of the store, except the one that was pushed last. The others then count
 * as not pushed: a push finds the product by its SKU or barcode, and leaves it alone or does what the operator chose.
 * Returns how many were unlinked, or null, without a change, while one of them is being sent.
 */
export async function keepNewestLink(db: Db, { shop, storeProductId }: ListingPlace): Promise<number | null> {
  const { rows } = await sql<{ ourId: string; sending: boolean }>`
    select our_id as "ourId", sending is not null as sending from listings
    where shop = ${shop} and store_product_id = ${storeProductId}
    order by pushed_at desc nulls last, our_id for update`.execute(db);
  if (rows.some(({ sending }) => sending)) return null;
  const others = rows.slice(1).map(({ ourId }) => ourId);
  // The state of a product's last write has its `after` on the listing until the next write.
  await sql`
    with kept as (
      update pushed_states set after = baseline, after_read_at = baseline_read_at from listings
      where listings.shop = ${shop} and listings.our_id = any(${others}::text[]) and baseline is not null
        and pushed_states.id = listings.state_id and pushed_states.after is null
    )
    update listings set store_product_id = null, handle = null, sent = null, sent_hash = null, source = null,
      baseline = null, baseline_read_at = null, state_id = null, pushed_at = null
    where shop = ${shop} and our_id = any(${others}::text[])`.execute(db);
  return others.length;
}
