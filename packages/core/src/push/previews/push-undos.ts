import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { findRow, findValue, queryRow, queryRows, queryValue } from '../../connection/query-rows.ts';
import type { GoneRecord, PushUndoRecord } from '../../connection/schema.ts';
import { pushedStateDays } from '../pushed-states.ts';

/** SQL condition: a state belongs to a push run and was not undone. */
const ofPush = ({ importId, pushRun }: { importId: string; pushRun: number }) =>
  sql<boolean>`state.import_id = ${importId} and state.run = ${pushRun} and state.undone_at is null`;

export type UndoablePush = { run: number; shop: string; writtenAt: Date };

/** Finds the push run to undo: `run`, or the last run with states. Looks up each run: an import has few runs. */
export const findUndoablePush = (db: Db, importId: string, run?: number) =>
  findRow<UndoablePush>(db)`
    select runs.run, written.shop, written.written_at as "writtenAt"
    from runs cross join lateral (
      select state.shop, state.written_at from pushed_states state
      where state.import_id = runs.import_id and state.run = runs.run and state.undone_at is null
      order by state.id limit 1) written
    where runs.import_id = ${importId} and runs.stage = 'push' and (${run ?? null}::int is null or runs.run = ${run ?? null})
    order by runs.run desc limit 1`;

/** SQL condition: a completed undo of a push run changed products. False once this undo has been removed. */
const wasUndone = (push: { importId: RawBuilder<unknown>; run: RawBuilder<unknown> }) => sql<boolean>`exists (
  select 1 from previews undo where undo.import_id = ${push.importId} and undo.undoes_run = ${push.run}
    and undo.ended_at is not null
    and undo.total = (select sum(done.products::int) from json_each_text(undo.results) done (key, products))
  ) and exists (
  select 1 from pushed_states undone where undone.import_id = ${push.importId} and undone.run = ${push.run}
    and undone.undone_at is not null)`;

export const readPushStart = (db: Db, importId: string, run: number) =>
  findValue<Date>(db)`
    select started_at from runs where import_id = ${importId} and stage = 'push' and run = ${run}`;

/** Returns when the states that an undo of the push needs will be removed. */
export const undoableUntil = ({ writtenAt }: UndoablePush): Date =>
  new Date(writtenAt.getTime() + pushedStateDays * 86_400_000);

/** Counts the products that a push run has written. Takes at most a second for a million. */
export const countUndoableProducts = (db: Db, push: { importId: string; pushRun: number }) =>
  queryValue<number>(db)`
    select count(distinct our_id)::int as products from pushed_states state
    where ${ofPush(push)}`;

/** Reads a run's products, newest write first. `position`: the id of the state of a product's first write. */
export const readUndoableProducts = (
  db: Db,
  push: { importId: string; pushRun: number },
  { position, limit }: { position: number | null; limit: number },
) =>
  queryRows<{ ourId: string; position: number }>(db)`
    select state.our_id as "ourId", state.id as position from pushed_states state
    where ${ofPush(push)} and (${position}::bigint is null or state.id < ${position}) and not exists (
      select 1 from pushed_states earlier
      where earlier.shop = state.shop and earlier.our_id = state.our_id and earlier.id < state.id
        and earlier.import_id = state.import_id and earlier.run = state.run and earlier.undone_at is null)
    order by state.id desc limit ${limit}`;

/** Reads the preview that a push run carries out. Throws if there is none. */
export const readCarriedOutPreview = (db: Db, importId: string, run: number) =>
  queryRow<PushUndoRecord | GoneRecord>(db)`
    select * from previews where import_id = ${importId} and kind in ('undo', 'gone') and run = ${run}`;

/** Time within which a chunk reads its products back. Later reads may contain changes by others. */
const readBackMax = sql`interval '1 minute'`;

/**
 * Reads facts for an undo, by our id: the product before the run's first write and after its last write, the sent
 * payloads, and later pushes. Pushes that left a product unchanged, or skipped it as in the store under another id,
 * have no state and are found in the ledger. The newest state's `after` is the listing's baseline, which may contain
 * changes by others if it was read late. A write's payload is the next state's `sent_before`, or the listing's `sent`.
 */
export async function readUndoFacts<Facts extends { ourId: string }>(
  db: Db,
  { shop, importId, pushRun }: { shop: string; importId: string; pushRun: number },
  ourIds: readonly string[],
): Promise<Map<string, Facts>> {
  const rows = await queryRows<Facts>(db)`
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
