import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import {
  changeRows,
  findRow,
  hasRows,
  queryRows,
  queryValue,
  queryValues,
} from '../connection/query-rows.ts';
import type { SourceRecord } from '../connection/schema.ts';

export type ConfiguredSource = Pick<
  SourceRecord,
  'name' | 'base_url' | 'per_window' | 'window_ms' | 'per_day' | 'day_ms' | 'simulated'
> & { enabled: boolean };

/**
 * Stores the configured sources. Stored quotas, order and switches stay. A source with a new address gets its
 * configured switch and a full quota, and loses its answers. Returns the sources that are no longer simulated.
 */
export async function registerSources(db: Db, sources: readonly ConfiguredSource[]): Promise<string[]> {
  const stored = new Map((await listSources(db)).map((source) => [source.name, source]));
  const noLongerSimulated: string[] = [];
  for (const [position, source] of sources.entries()) {
    const { name, base_url, per_window, window_ms, per_day, day_ms, simulated, enabled } = source;
    const before = stored.get(name);
    if (before && before.base_url !== base_url) {
      await sql`delete from lookups where source = ${name}`.execute(db);
      await sql`delete from source_calls where source = ${name}`.execute(db);
      if (before.simulated && !simulated) noLongerSimulated.push(name);
    }
    await sql`
      insert into sources
        (name, base_url, per_window, window_ms, per_day, day_ms, simulated, enabled, position)
      values (${name}, ${base_url}, ${per_window}, ${window_ms}, ${per_day}, ${day_ms}, ${simulated}, ${enabled},
        ${position})
      on conflict (name) do update set base_url = excluded.base_url, enabled = excluded.enabled, ${atRest}
      where sources.base_url <> excluded.base_url`.execute(db);
    await sql`
      update sources set simulated = ${simulated}
      where name = ${name} and simulated <> ${simulated}`.execute(db);
  }
  return noLongerSimulated;
}

/** Takes a shared lock on the sources until the transaction ends. Take it before using answers of the sources. */
export async function lockSourcesShared(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('draftshelf sources'))`.execute(db);
}

/** Takes the exclusive lock on the sources. Waits at most `msMax` or, if null, the connection's lock timeout. */
export async function lockSources(db: Db, msMax: number | null): Promise<void> {
  if (msMax !== null) {
    await sql`set local lock_timeout = ${sql.lit(msMax)}`.execute(db);
    await sql`set local statement_timeout = ${sql.lit(msMax)}`.execute(db);
  }
  await sql`select pg_advisory_xact_lock(hashtext('draftshelf sources'))`.execute(db);
}

const atRest = sql`calls_left = null, calls_left_until = null, blocked_until = null, blocked_because = null,
  failures = 0`;

/** Resets a source after a change of its account. Counted calls stay. `taken`: the test of the new key used a call. */
export async function resetSourceAccount(
  db: Db,
  name: string,
  { taken, enabled }: { taken: boolean; enabled?: boolean },
): Promise<void> {
  await sql`
    update sources set ${atRest}, enabled = coalesce(${enabled ?? null}, enabled), changed_at = now()
    where name = ${name}`.execute(db);
  await changeRows(db)`
    update lookups set state = 'wanted', attempts = 0, not_before = null, expires_at = null, error = null
    where source = ${name} and (state = 'failed' or (state = 'wanted' and not_before is not null))`;
  if (!taken) return;
  await sql`
    insert into source_calls (source, gtin, counts_from) values (${name}, '', clock_timestamp())`.execute(db);
}

/** Records the configured store. If it is a real one, pictures are checked even without a source. */
export async function recordConfiguredStore(
  db: Db,
  { url, isReal }: { url: string | null; isReal: boolean },
): Promise<void> {
  await changeRows(db)`
    insert into outside_access (real_store, store_url) values (${isReal}, ${url})
    on conflict (singleton) do update set real_store = excluded.real_store, store_url = excluded.store_url`;
}

/** Returns whether the sources are the simulated ones of `npm start`. */
export const hasSimulatedSources = (db: Db) => hasRows(db)`select name from sources where simulated`;

export const readSourceAddress = (db: Db, name: string) =>
  findRow<Pick<SourceRecord, 'base_url' | 'simulated'>>(db)`
    select base_url, simulated from sources where name = ${name}`;

/** Lists all sources in the order in which they are asked. */
export const listSources = (db: Db) => queryRows<SourceRecord>(db)`select * from sources order by position`;

export type SourceChange = { name: string } & Partial<
  Pick<SourceRecord, 'enabled' | 'position' | 'per_window' | 'per_day'>
>;

/** Changes switches, order and quotas of sources. Unknown names are ignored. */
export async function changeSources(db: Db, changes: readonly SourceChange[]): Promise<void> {
  for (const { name, ...change } of changes) {
    if (Object.keys(change).length === 0) continue;
    await db
      .updateTable('sources')
      .set({ ...change, changed_at: sql`now()` })
      .where('name', '=', name)
      .execute();
  }
}

/** Lists the names of the sources that are switched on, in order. */
export const listActiveSources = (db: Db) =>
  queryValues<string>(db)`
    select name from sources where enabled order by position`;

/** Returns whether pictures are checked, which needs an active source or a configured real store. */
export const isImageCheckOn = (db: Db) =>
  queryValue<boolean>(db)`
    select exists (select 1 from sources where enabled)
      or exists (select 1 from outside_access where real_store) as checks`;

/** Counts each source's calls in its time window and its day, in the same way as admissions. */
export async function countSourceCalls(
  db: Db,
): Promise<Map<string, { window: number; day: number; freeAt: Date | null }>> {
  const rows = await queryRows<{ name: string; window: number; day: number; free_at: Date | null }>(db)`
    select name,
      count(counts_from) filter (where counts_from > clock_timestamp() - window_ms * interval '1 millisecond')::int as window,
      count(counts_from)::int as day,
      min(counts_from) + max(day_ms) * interval '1 millisecond' as free_at
    from sources left join source_calls
      on source = name and counts_from > clock_timestamp() - day_ms * interval '1 millisecond'
    group by name`;
  return new Map(rows.map(({ name, window, day, free_at }) => [name, { window, day, freeAt: free_at }]));
}
