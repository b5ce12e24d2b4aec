import { type ConditionId, conditionIds, signDurationMsOf } from '@draftshelf/domain/operate/conditions';
import type { findSigns } from '@draftshelf/domain/operate/find-signs';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { findRow, queryRows } from '../../connection/query-rows.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';

/** Stores the symptoms found. A condition begins once its symptom has lasted long enough, and ends with its symptom. */
export async function storeSymptoms(
  db: Db,
  signs: ReturnType<typeof findSigns>,
  forMs: (id: ConditionId) => number = signDurationMsOf,
): Promise<void> {
  const rows = conditionIds.map((id) => {
    const sign = signs.get(id);
    return { id, detail: sign?.detail ?? null, forMs: sign?.atOnce ? 0 : forMs(id) };
  });
  const given = unnestRows('given', rows, { id: 'text', detail: 'text', forMs: 'bigint' });
  await sql`insert into conditions (id) select id from ${given} on conflict do nothing`.execute(db);
  await sql`
    with since as (
      select given.*, case when given.detail is not null
        then least(coalesce(seen_since, clock_timestamp()), clock_timestamp()) end as seen
      from ${given} join conditions using (id)
    )
    update conditions set seen_since = seen, detail = coalesce(since.detail, conditions.detail),
      began_at = case when seen is null then null
        when began_at is not null then began_at
        when seen <= clock_timestamp() - for_ms * interval '1 millisecond' then clock_timestamp() end,
      ended_at = case when seen is null and began_at is not null then clock_timestamp() else ended_at end
    from since where since.id = conditions.id
      and (seen is not null or seen_since is not null or began_at is not null)`.execute(db);
}

export type StoredCondition = { id: ConditionId; began_at: Date; detail: string | null };

/** Lists conditions in effect, latest first. Leaves out conditions that only a newer version of Draftshelf has. */
export const listConditions = (db: Db) =>
  queryRows<StoredCondition>(db)`
    select id, began_at, detail from conditions
    where began_at is not null and id = any(${conditionIds}::text[]) order by began_at desc, id`;

export type EndedCondition = { id: ConditionId; ended_at: Date; detail: string | null };

/** Lists conditions that have ended in the last 24 hours and are not in effect again, latest first. */
export const listEndedConditions = (db: Db) =>
  queryRows<EndedCondition>(db)`
    select id, ended_at, detail from conditions
    where began_at is null and ended_at > now() - ${sql.lit(endedShownHours)} * interval '1 hour'
      and id = any(${conditionIds}::text[])
    order by ended_at desc, id limit ${endedMax}`;

/** Number of ended conditions that fit into the space for problems on screens without moving other content. */
const endedMax = 3;
/** Hours for which ended conditions are shown, so that a problem noticed in passing can be read about the next day. */
const endedShownHours = 24;

export type UnsentChange = { id: ConditionId; isInEffect: boolean; detail: string | null; at: Date };

/** Lists conditions that have begun or ended since the last message about them. */
export const listUnsentChanges = (db: Db) =>
  queryRows<UnsentChange>(db)`
    select id, began_at is not null as "isInEffect", detail, coalesce(began_at, ended_at, clock_timestamp()) as at
    from conditions where (began_at is not null) <> told and id = any(${conditionIds}::text[])
    order by at, id`;

export async function markChangeSent(
  db: Db,
  { id, isInEffect }: Pick<UnsentChange, 'id' | 'isInEffect'>,
): Promise<void> {
  await db.updateTable('conditions').set({ told: isInEffect }).where('id', '=', id).execute();
}

export type DiskSpace = { freeBytes: number; totalBytes: number };

/** Minimum hours of samples that show a trend. A shorter time may contain just one large import. */
const hoursMin = 12;
const hoursMax = 24;

/** Samples the disk hourly. Returns the ms until it is full. Null if it does not fill, or if this is not known yet. */
export async function sampleDisk(db: Db, { freeBytes, totalBytes }: DiskSpace): Promise<number | null> {
  const hour = sql`date_trunc('hour', clock_timestamp())`;
  await sql`
    delete from disk_samples where total_bytes <> ${totalBytes}
      or hour not between ${hour} - ${hoursMax} * interval '1 hour' and ${hour}`.execute(db);
  await sql`
    insert into disk_samples (hour, free_bytes, total_bytes) values (${hour}, ${freeBytes}, ${totalBytes})
    on conflict do nothing`.execute(db);
  const oldest = await findRow<{ free: number; ms: number }>(db)`
    select free_bytes as free, (extract(epoch from clock_timestamp() - hour) * 1000)::float8 as ms from disk_samples
    where hour <= ${hour} - ${hoursMin} * interval '1 hour' order by hour limit 1`;
  if (!oldest || oldest.free <= freeBytes) return null;
  return (freeBytes * oldest.ms) / (oldest.free - freeBytes);
}
