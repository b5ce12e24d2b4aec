import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { SourceRecord } from '../schema.ts';

/** A source as this version and its environment configure it. */
export type ConfiguredSource = Pick<
  SourceRecord,
  'name' | 'base_url' | 'per_window' | 'window_ms' | 'per_day' | 'day_ms'
> & { enabled: boolean };

/**
 * Stores the configured sources, in order. Quotas, order and switches that are already stored stay. A source that has
 * moved to another address is switched off and its answers are forgotten: what was switched on was the other one.
 */
export async function registerSources(
  db: Db,
  sources: readonly ConfiguredSource[],
  { realStore }: { realStore: boolean },
): Promise<void> {
  await recordRealStore(db, realStore);
  for (const [position, source] of sources.entries()) {
    await sql`
      delete from lookups using sources
      where sources.name = ${source.name} and lookups.source = sources.name and sources.base_url <> ${source.base_url}`.execute(
      db,
    );
    await db
      .insertInto('sources')
      .values({ ...source, position })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({
            base_url: source.base_url,
            enabled: source.enabled,
            blocked_until: null,
            failures: 0,
          })
          .where('sources.base_url', '<>', source.base_url),
      )
      .execute();
  }
}

/** Stores whether the store that is set is a real one: then pictures are checked, also without a source. */
export async function recordRealStore(db: Db, realStore: boolean): Promise<void> {
  await sql`
    insert into outside_access (real_store) values (${realStore})
    on conflict (singleton) do update set real_store = excluded.real_store`.execute(db);
}

/** All sources in the order in which they are asked. */
export async function listSources(db: Db): Promise<SourceRecord[]> {
  return db.selectFrom('sources').selectAll().orderBy('position').execute();
}

export type SourceChange = { name: string } & Partial<
  Pick<SourceRecord, 'enabled' | 'position' | 'per_window' | 'per_day'>
>;

/** Changes switches, order and quotas of sources. Names that are not stored are ignored. */
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

/** The names of the sources that are switched on, in order. */
export async function activeSources(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('sources')
    .select('name')
    .where('enabled', '=', true)
    .orderBy('position')
    .execute();
  return rows.map(({ name }) => name);
}

/** Whether pictures are checked: a source is switched on or a real store is configured. */
export async function checksImages(db: Db): Promise<boolean> {
  const { rows } = await sql<{ checks: boolean }>`
    select exists (select 1 from sources where enabled)
      or exists (select 1 from outside_access where real_store) as checks`.execute(db);
  return rows[0]?.checks ?? false;
}

/** Calls of each source in its windows, counted as the admission counts them. */
export async function countCalls(
  db: Db,
): Promise<Map<string, { window: number; day: number; freeAt: Date | null }>> {
  const { rows } = await sql<{ name: string; window: number; day: number; free_at: Date | null }>`
    select name,
      count(counts_from) filter (where counts_from > clock_timestamp() - window_ms * interval '1 millisecond')::int as window,
      count(counts_from)::int as day,
      min(counts_from) + max(day_ms) * interval '1 millisecond' as free_at
    from sources left join source_calls
      on source = name and counts_from > clock_timestamp() - day_ms * interval '1 millisecond'
    group by name`.execute(db);
  return new Map(rows.map(({ name, window, day, free_at }) => [name, { window, day, freeAt: free_at }]));
}
