import type { Outcome } from '@draftshelf/domain/outcome';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { WriteKind } from '../schema.ts';
import { wasUndone } from './push-undos.ts';

/** What is stored of a product that a push run has written: JSON as the push has stored it. */
export type StoredUndoFacts = {
  ourId: string;
  kind: WriteKind | null;
  begunAt: Date | null;
  before: object | null;
  after: object | null;
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
   * What pushed the product after the first write and found it unchanged; null: nothing but this import, or pushes that
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
 * after the last one, what was sent before and last, and who else has pushed them since. A push that finds a product
 * unchanged writes no state, but an entry of the ledger. The state after a write is the listing's baseline while it is
 * the newest. One that was read late is left out: changes that others made since the write would look like ours. What a
 * write sent is the next one's `sent_before`, or the listing's.
 */
export async function readUndoFacts(
  db: Db,
  { shop, importId, pushRun }: { shop: string; importId: string; pushRun: number },
  ourIds: readonly string[],
): Promise<Map<string, StoredUndoFacts>> {
  const { rows } = await sql<StoredUndoFacts>`
    select given.our_id as "ourId", first.kind, first.begun_at as "begunAt", first.before,
      case
        when last.after is not null then
          case when last.after_read_at < last.begun_at + ${readBackMax} then last.after end
        when listings.state_id = last.id and listings.baseline_read_at < last.begun_at + ${readBackMax}
          then listings.baseline
      end as after,
      first.sent_before as "sentBefore", first.sent_hash_before as "sentHashBefore",
      first.source_before as "sourceBefore", first.expected_before as "expectedBefore",
      case when next.id is null then listings.sent else next.sent_before end as "sentAfter",
      case when next.id is null then listings.kept end as "keptAfter",
      later.filename as "pushedLaterBy", also.filename as "alsoPushedBy", listings.store_product_id as "storeProductId"
    from unnest(${ourIds}::text[]) as given (our_id)
    cross join lateral (
      select * from pushed_states where shop = ${shop} and our_id = given.our_id and import_id = ${importId}
        and run = ${pushRun} and undone_at is null order by id limit 1) first
    cross join lateral (
      select * from pushed_states where shop = ${shop} and our_id = given.our_id and import_id = ${importId}
        and run = ${pushRun} and undone_at is null order by id desc limit 1) last
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
        case when ledger.origin = 'scanner' then 'the product scanner' else 'another import' end) as filename
      from ledger left join imports on imports.id = ledger.import_id
      where ledger.shop = ${shop} and ledger.our_id = given.our_id and ledger.effect = ${'unchanged' satisfies Outcome}
        and ledger.import_id is distinct from ${importId}::uuid and ledger.recorded_at > first.written_at
        and not (${wasUndone({ importId: sql.ref('ledger.import_id'), run: sql.ref('ledger.run') })})
      order by ledger.id desc limit 1) also on true
    left join listings on listings.shop = ${shop} and listings.our_id = given.our_id`.execute(db);
  return new Map(rows.map((row) => [row.ourId, row]));
}
