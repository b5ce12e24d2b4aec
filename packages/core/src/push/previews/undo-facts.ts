import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryRows } from '../../connection/query-rows.ts';
import type { WriteKind } from '../../connection/schema.ts';
import { wasUndone } from './push-undos.ts';

export type StoredUndoFacts = {
  ourId: string;
  kind: WriteKind | null;
  begunAt: Date | null;
  before: object | null;
  after: object | null;
  /** Read so late that changes of others may be in it. */
  isAfterLate: boolean;
  sentBefore: object | null;
  sentHashBefore: string | null;
  sourceBefore: object | null;
  /** The state before, without changes of others; empty: unknown. Null: there were no such changes. */
  expectedBefore: object | null;
  sentAfter: object | null;
  /** Fields that the last write kept; null if none, or if later writes replaced them. */
  keptAfter: object | null;
  pushedLaterBy: string | null;
  /** A push after the first write that kept the product; null: only this import, or pushes that were undone. */
  alsoPushedBy: string | null;
  storeProductId: string | null;
};

/** A live chunk reads its products back within this time, unless the store is very slow. */
const readBackMax = sql`interval '1 minute'`;

/**
 * Reads facts for an undo, by our id: the product before the run's first and after its last write, sent payloads, and
 * later pushes. A push that keeps a product writes a ledger entry but no state: unchanged, or skipped as in the store
 * under another id. The newest state's `after` is the listing's baseline; one read late may contain others' changes. A
 * write's payload is the next one's `sent_before`, or the listing's.
 */
export async function readUndoFacts(
  db: Db,
  { shop, importId, pushRun }: { shop: string; importId: string; pushRun: number },
  ourIds: readonly string[],
): Promise<Map<string, StoredUndoFacts>> {
  const rows = await queryRows<StoredUndoFacts>(db)`
    select given.our_id as "ourId", first.kind, first.begun_at as "begunAt", first.before,
      coalesce(last.after, newest.after) as after,
      not coalesce(
        case when last.after is null then newest.read_at else last.after_read_at end < last.begun_at + ${readBackMax},
        false) as "isAfterLate",
      first.sent_before as "sentBefore", first.sent_hash_before as "sentHashBefore",
      first.source_before as "sourceBefore", first.expected_before as "expectedBefore",
      case when next.id is null then listings.sent else next.sent_before end as "sentAfter",
      case when next.id is null then listings.kept end as "keptAfter",
      later.filename as "pushedLaterBy", also.filename as "alsoPushedBy", listings.store_product_id as "storeProductId"
    from unnest(${ourIds}::text[]) as given (our_id)
    left join listings on listings.shop = ${shop} and listings.our_id = given.our_id
    cross join lateral (
      select * from pushed_states where shop = ${shop} and our_id = given.our_id and import_id = ${importId}
        and run = ${pushRun} and undone_at is null order by id limit 1) first
    cross join lateral (
      select * from pushed_states where shop = ${shop} and our_id = given.our_id and import_id = ${importId}
        and run = ${pushRun} and undone_at is null order by id desc limit 1) last
    left join lateral (
      select listings.baseline as after, listings.baseline_read_at as read_at
      where listings.state_id = last.id) newest on true
    left join lateral (
      select * from pushed_states where shop = ${shop} and our_id = given.our_id and id > last.id
      order by id limit 1) next on true
    left join lateral (
      select coalesce(imports.filename, 'Another push') as filename from pushed_states state
      left join imports on imports.id = state.import_id
      where state.shop = ${shop} and state.our_id = given.our_id and state.id > last.id and state.undone_at is null
      order by state.id desc limit 1) later on true
    left join lateral (
      select coalesce(imports.filename,
        case when relied.origin = 'scanner' then 'the product scanner' else 'another import' end) as filename
      from (
        select * from ledger where shop = ${shop} and our_id = given.our_id and effect = 'unchanged'
        union all
        select * from ledger where shop = ${shop} and store_product_id = listings.store_product_id
          and effect = 'skipped' and not exists (select 1 from listings own where own.shop = ${shop}
            and own.our_id = ledger.our_id and own.store_product_id is not null)
      ) relied left join imports on imports.id = relied.import_id
      where relied.import_id is distinct from ${importId}::uuid and relied.recorded_at > first.written_at
        and not (${wasUndone({ importId: sql.ref('relied.import_id'), run: sql.ref('relied.run') })})
      order by relied.id desc limit 1) also on true`;
  return new Map(rows.map((row) => [row.ourId, row]));
}
