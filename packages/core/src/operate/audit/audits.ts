import type { AuditDifference } from '@draftshelf/domain/operate/audit';
import { type Kysely, sql } from 'kysely';
import { isWithin } from '../../connection/clock.ts';
import type { Db } from '../../connection/database.ts';
import { findRow, queryRow, queryRows } from '../../connection/query-rows.ts';
import type { AuditPosition, AuditRecord, Schema } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { requestTask } from '../../work/background-tasks.ts';
import {
  compareCounters,
  compareLedger,
  findPushedAfter,
  listLedgerShops,
  shownPerPart,
} from './audit-import.ts';

const everyMs = 24 * 60 * 60 * 1000;
/** A part takes about 0.2 s. */
const statementMsMax = 10_000;
const differencesShown = 100;

const begin: AuditPosition = { step: 'imports', after: null, product: null };

export async function beginAudit(db: Db): Promise<void> {
  await storeAudit(db);
  await requestTask(db, 'audit');
}

async function storeAudit(db: Db): Promise<void> {
  await sql`
    insert into audits (position, differences) values (${storableJson(begin)}, ${storableJson([])})
    on conflict do nothing`.execute(db);
}

/** Reads the newest ended audit, and whether one is under way. */
export async function readAudits(db: Db): Promise<{ latest: AuditRecord | undefined; isRunning: boolean }> {
  const newest = await queryRows<AuditRecord>(db)`select * from audits order by id desc limit 2`;
  return {
    latest: newest.find(({ ended_at }) => ended_at !== null),
    isRunning: newest.some(({ ended_at }) => ended_at === null),
  };
}

/** Begins an audit if the last one is a day old and an import was pushed. */
export async function beginDueAudit(db: Db): Promise<void> {
  const { due } = await queryRow<{ due: boolean }>(db)`
    select not exists (select 1 from audits where ${isWithin(sql.ref('started_at'), everyMs)})
      and exists (select 1 from imports where push_run > 0) as due`;
  if (due) await storeAudit(db);
}

/** Does the next part of the running audit under the lock of its task; returns whether more may follow. */
export async function doAuditPart(db: Kysely<Schema>, lock: (trx: Db) => Promise<void>): Promise<boolean> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      await lock(trx);
      const audit = await findRow<AuditRecord>(trx)`select * from audits where ended_at is null`;
      if (!audit) return false;
      await sql`select set_config('statement_timeout', ${String(statementMsMax)}, true)`.execute(trx);
      const part = await comparePart(trx, audit.position);
      await storePart(trx, audit, part);
      return part.next !== null;
    });
}

/** Ends the audit that is under way early. */
export async function endAudit(db: Db, problem: string): Promise<void> {
  await sql`
    update audits set ended_at = clock_timestamp(), problem = ${problem} where ended_at is null`.execute(db);
}

type Part = {
  differences: AuditDifference[];
  imports?: number;
  products?: number;
  listings?: number;
  next: AuditPosition | null;
};

async function comparePart(db: Db, position: AuditPosition): Promise<Part> {
  if (position.step === 'listings') {
    const { last, ...part } = await compareListings(db, position);
    return { ...part, next: last && { step: 'listings', ...last } };
  }
  const { after, product } = position;
  if (product === null || after === null) {
    const importId = await findPushedAfter(db, after);
    if (importId === undefined)
      return { differences: [], next: { step: 'listings', shop: '', storeProductId: '' } };
    const differences = await compareCounters(db, importId);
    return { differences, imports: 1, next: { step: 'imports', after: importId, product: 0 } };
  }
  const shops = await listLedgerShops(db);
  const { last, ...part } = await compareLedger(db, { importId: after, after: product, shops });
  return { ...part, next: { step: 'imports', after, product: last } };
}

async function storePart(db: Db, audit: AuditRecord, part: Part): Promise<void> {
  const { imports = 0, products = 0, listings = 0, next } = part;
  const differences = [...audit.differences, ...part.differences].slice(0, differencesShown);
  await sql`
    update audits set imports = imports + ${imports}, products = products + ${products},
      listings = listings + ${listings}, difference_count = difference_count + ${part.differences.length},
      differences = ${storableJson(differences)},
      ${next ? sql`position = ${storableJson(next)}` : sql`ended_at = clock_timestamp()`}
    where id = ${audit.id}`.execute(db);
}

/** One statement compares as many along an index in about 0.1 s. */
const listingsPerPart = 50_000;

type ListingPlace = { shop: string; storeProductId: string };

/** Finds store products that several of our products are linked to. `last`: null after the last part. */
async function compareListings(
  db: Db,
  after: ListingPlace,
): Promise<{ differences: AuditDifference[]; listings: number; last: ListingPlace | null }> {
  const rows = await queryRows<ListingPlace & { listings: number; all_listings: number; place: number }>(db)`
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
    from (select * from linked union all select * from ending) found order by place`;
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
 * Unlinks all our products from a store product except the one pushed last; a push then searches by SKU or barcode.
 * Returns how many were unlinked, or null, without a change, while one is being sent.
 */
export async function keepNewestLink(db: Db, { shop, storeProductId }: ListingPlace): Promise<number | null> {
  const rows = await queryRows<{ ourId: string; sending: boolean }>(db)`
    select our_id as "ourId", sending is not null as sending from listings
    where shop = ${shop} and store_product_id = ${storeProductId}
    order by pushed_at desc nulls last, our_id for update`;
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
