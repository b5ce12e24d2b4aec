import type { AuditDifference } from '@draftshelf/domain/operate/audit';
import { type Kysely, sql } from 'kysely';
import { isRecent } from '../../connection/clock.ts';
import { type Db, readInSnapshot } from '../../connection/database.ts';
import { findRow, queryRow, queryRows } from '../../connection/query-rows.ts';
import type { AuditRecord, Schema } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { requestTask } from '../../work/background-tasks.ts';
import type { TaskProgress } from '../../work/tasks.ts';
import { auditImport, differencesPerPartMax, listPushedImports } from './audit-import.ts';

const everyMs = 24 * 60 * 60 * 1000;
/** Time limit of a statement, which normally takes about 0.2 s. */
const statementMsMax = 10_000;
const differencesShown = 100;

export async function beginAudit(db: Db): Promise<void> {
  await storeAudit(db);
  await requestTask(db, 'audit');
}

async function storeAudit(db: Db): Promise<void> {
  await sql`insert into audits (differences) values (${storableJson([])}) on conflict do nothing`.execute(db);
}

/** Reads the newest ended audit, and whether another audit is running. */
export async function readAudits(db: Db): Promise<{ latest: AuditRecord | undefined; isRunning: boolean }> {
  const newest = await queryRows<AuditRecord>(db)`select * from audits order by id desc limit 2`;
  return {
    latest: newest.find(({ ended_at }) => ended_at !== null),
    isRunning: newest.some(({ ended_at }) => ended_at === null),
  };
}

/** Begins an audit if an import was pushed and no audit has begun within the last day. */
export async function beginDueAudit(db: Db): Promise<void> {
  const { due } = await queryRow<{ due: boolean }>(db)`
    select not exists (select 1 from audits where ${isRecent(sql.ref('started_at'), everyMs)})
      and exists (select 1 from imports where push_run > 0) as due`;
  if (due) await storeAudit(db);
}

/** Carries out the audit that has begun. Stores the result only at the end, so an aborted audit starts over. */
export async function runAudit(
  db: Kysely<Schema>,
  { lock, signal }: { lock: (trx: Db) => Promise<void>; signal: AbortSignal },
): Promise<TaskProgress> {
  const audit = await findRow<Pick<AuditRecord, 'id'>>(db)`select id from audits where ended_at is null`;
  if (!audit) return 'done';
  const pushed = await listPushedImports(db);
  const found: AuditDifference[] = [];
  let products = 0;
  for (const importId of pushed) {
    if (signal.aborted) return 'more';
    const part = await compare(db, (trx) => auditImport(trx, importId));
    found.push(...part.differences);
    products += part.products;
  }
  const { differences, listings } = await compare(db, compareListings);
  found.push(...differences);
  await db.transaction().execute(async (trx) => {
    await lock(trx);
    await sql`
      update audits set imports = ${pushed.length}, products = ${products}, listings = ${listings},
        difference_count = ${found.length}, differences = ${storableJson(found.slice(0, differencesShown))},
        ended_at = clock_timestamp()
      where id = ${audit.id}`.execute(trx);
  });
  return 'done';
}

const compare = <T>(db: Kysely<Schema>, read: (trx: Db) => Promise<T>): Promise<T> =>
  readInSnapshot(db, async (trx) => {
    await sql`select set_config('statement_timeout', ${String(statementMsMax)}, true)`.execute(trx);
    return read(trx);
  });

/** Ends the running audit early, because of a problem. */
export async function endAudit(db: Db, problem: string): Promise<void> {
  await sql`
    update audits set ended_at = clock_timestamp(), problem = ${problem} where ended_at is null`.execute(db);
}

/** Listings per statement, which takes about 0.1 s along an index. */
const listingsPerPart = 50_000;

type ListingPlace = { shop: string; storeProductId: string };

/** Finds store products to which several of our products are linked. Also counts the links to all store products. */
async function compareListings(db: Db): Promise<{ differences: AuditDifference[]; listings: number }> {
  const found = { differences: [] as AuditDifference[], listings: 0 };
  let after: ListingPlace = { shop: '', storeProductId: '' };
  for (;;) {
    type Part = { listings: number; last: ListingPlace | null; linked: AuditDifference[] };
    const { listings, last, linked } = await queryRow<Part>(db)`
      with part as materialized (
        select shop, store_product_id from listings
        where store_product_id is not null
          and (shop, store_product_id) > (${after.shop}::text, ${after.storeProductId}::text)
        order by shop, store_product_id limit ${listingsPerPart}
      ), linked as (
        select 'listing-twice' as kind, shop, store_product_id as "storeProductId", count(*)::int as listings
        from part group by shop, store_product_id having count(*) > 1 limit ${differencesPerPartMax}
      )
      select (select count(*)::int from part) as listings, coalesce((select json_agg(linked) from linked), '[]') as linked,
        (select json_build_object('shop', shop, 'storeProductId', store_product_id)
          from part order by shop desc, store_product_id desc limit 1) as last`;
    found.differences.push(...linked);
    found.listings += listings;
    if (last === null || listings < listingsPerPart) return found;
    after = last;
  }
}

/**
 * Unlinks from a store product all our products except the one pushed last. Later pushes match them by SKU or barcode.
 * Returns the number of unlinked products, or null without a change if one of our products is being sent.
 */
export async function keepNewestLink(db: Db, { shop, storeProductId }: ListingPlace): Promise<number | null> {
  const rows = await queryRows<{ ourId: string; sending: boolean }>(db)`
    select our_id as "ourId", sending is not null as sending from listings
    where shop = ${shop} and store_product_id = ${storeProductId}
    order by pushed_at desc nulls last, our_id for update`;
  if (rows.some(({ sending }) => sending)) return null;
  const others = rows.slice(1).map(({ ourId }) => ourId);
  // A listing's baseline may be the missing `after` of its last pushed state, so it is copied to that state.
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
