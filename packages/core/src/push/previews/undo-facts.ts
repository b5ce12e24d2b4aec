import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { WriteKind } from '../../connection/schema.ts';
import { wasUndone } from './push-undos.ts';

/** What is stored of a product that a push run has written: JSON as the push has stored it. */
export type StoredUndoFacts = {
  ourId: string;
  kind: WriteKind | null;
  begunAt: Date | null;
  before: object | null;
  after: object | null;
  /** It was read so long after the write that changes of others may be in it. */
  isAfterLate: boolean;
  sentBefore: object | null;
  sentHashBefore: string | null;
  sourceBefore: object | null;
  /** What the product would have been before if nobody else had changed it; empty: not known. Null: nobody had. */
  expectedBefore: object | null;
  sentAfter: object | null;
  /** Fields of the product that the last write left as they were; null: none, or a later write has replaced them. */
  keptAfter: object | null;
  pushedLaterBy: string | null;
  /**
   * What pushed the product after the first write and left it as it was; null: nothing but this import, or pushes that
   * were undone.
   */
  alsoPushedBy: string | null;
  /** The store's id by the listing; null: no listing has one. */
  storeProductId: string | null;
};

/** The chunk that writes a product reads it back within this time, unless it has died or the store is very slow. */
const readBackMax = sql`interval '1 minute'`;

/**
 * The facts of an undo about some products of a push run, by our id: the product before the first write of the run and
 * after the last one, what was sent before and last, and who else has pushed them since. A push that leaves a product
 * as it is writes no state, but an entry of the ledger: the product is unchanged, or was skipped because the store has
 * it under another id, and still has no product under its own. The state after a write is the listing's baseline while
 * it is the newest. In one that was read late, changes that others made since the write would look like ours. What a
 * write sent is the next one's `sent_before`, or the listing's.
 */
export async function readUndoFacts(
  db: Db,
  { shop, importId, pushRun }: { shop: string; importId: string; pushRun: number },
  ourIds: readonly string[],
): Promise<Map<string, StoredUndoFacts>> {
  const { rows } = await sql<StoredUndoFacts>`
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
      order by relied.id desc limit 1) also on true`.execute(db);
  return new Map(rows.map((row) => [row.ourId, row]));
}
