import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { hasRows, queryRows } from '../connection/query-rows.ts';
import { unnestRows } from '../connection/unnest-rows.ts';

/** Retention of states in days. Within this time, a push can be undone. */
export const pushedStateDays = 90;

/** A write that arrived in the store, and its run. */
export type ArrivedWrite = { ourId: string; sentHash: string; importId: string | null; run: number | null };

/** SQL value: a product's expected state: its baseline, overlaid with kept values. Includes deleted variants. */
const expected = sql`(baseline::jsonb || coalesce(kept::jsonb, '{}') - 'answers' || jsonb_build_object('variants', (
  select coalesce(jsonb_agg(coalesce(is_now.one, '{"quantity":null}') || coalesce(kept_one.one - 'quantity', '{}') order by at), '[]')
  from jsonb_array_elements(baseline::jsonb -> 'variants') with ordinality as is_now (one, at)
  full join jsonb_array_elements(coalesce(kept::jsonb -> 'variants', '[]')) as kept_one (one)
    on kept_one.one -> 'id' = is_now.one -> 'id'
  where is_now.one is not null or kept_one.one ? 'inventoryItemId')))`;

const arrivedColumns = { ourId: 'text', sentHash: 'text', importId: 'uuid', run: 'int' } as const;

/**
 * Stores the states before writes, and our earlier payloads, for an undo. Returns state ids, by our id. Call it before
 * listings record the writes: recording removes the baselines, which this copies to `after` of earlier states.
 */
export async function insertPushedStates(
  db: Db,
  shop: string,
  arrived: readonly ArrivedWrite[],
): Promise<Map<string, number>> {
  if (arrived.length === 0) return new Map();
  const rows = await queryRows<{ id: number; our_id: string }>(db)`
    with given as (
      select * from ${unnestRows('given', arrived, arrivedColumns)}
    ), sent as (
      select listings.*, given.import_id, given.run from given
      join listings on listings.shop = ${shop} and listings.our_id = given.our_id
        and listings.sending_hash = given.sent_hash
    ), earlier as (
      update pushed_states set after = sent.baseline, after_read_at = sent.baseline_read_at from sent
      where pushed_states.id = sent.state_id and pushed_states.after is null and sent.baseline is not null
    )
    insert into pushed_states (shop, our_id, import_id, run, kind, begun_at, before, sent_before, sent_hash_before,
      source_before, expected_before)
    select shop, our_id, import_id, run, sending_kind, sending_at, sending_before, sent, sent_hash, source,
      case when sent is null or sending_before is null then null
        when baseline is null then '{}'
        when ${expected} - 'updatedAt' <> sending_before::jsonb - 'updatedAt' then to_json(${expected})
      end
    from sent order by our_id
    returning id, our_id`;
  return new Map(rows.map(({ id, our_id }) => [our_id, id]));
}

/** Returns whether an undo took back a push run's effect on at least one product. */
export const hasUndoneStates = (db: Db, importId: string, run: number) =>
  hasRows(db)`
    select 1 from pushed_states
    where import_id = ${importId} and run = ${run} and undone_at is not null limit 1`;

export async function markStatesUndone(
  db: Db,
  { shop, ourId }: { shop: string; ourId: string },
  { importId, pushRun }: { importId: string; pushRun: number },
): Promise<void> {
  await sql`
    update pushed_states set undone_at = clock_timestamp()
    where shop = ${shop} and our_id = ${ourId} and import_id = ${importId} and run = ${pushRun}
      and undone_at is null`.execute(db);
}
