import type { TallyCounts, TallyName } from '@draftshelf/domain/operate/tallies';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { unnestRows } from '../connection/unnest-rows.ts';

/** Length of a time bucket. All processes add their counts to one row per bucket and name. */
const bucketSeconds = 10;

export async function addHealthCounts(db: Db, counts: TallyCounts): Promise<void> {
  const rows = Object.entries(counts).map(([name, count]) => ({ name, count }));
  if (rows.length === 0) return;
  await sql`
    insert into health_counts (at, name, count)
    select to_timestamp(floor(extract(epoch from clock_timestamp()) / ${bucketSeconds}) * ${bucketSeconds}), name, count
    from ${unnestRows('counted', rows, { name: 'text', count: 'int' })} order by name
    on conflict (at, name) do update set count = health_counts.count + excluded.count`.execute(db);
}

/** Returns each count's sum over its window, given in ms. The window's start is exact to ten seconds. */
export async function sumHealthCounts(
  db: Db,
  windows: Readonly<Record<TallyName, number>>,
): Promise<Record<TallyName, number>> {
  const asked = Object.entries(windows).map(([name, ms]) => ({ name, ms }));
  const { rows } = await sql<{ name: TallyName; sum: number }>`
    select asked.name, coalesce(sum(count), 0)::int as sum
    from ${unnestRows('asked', asked, { name: 'text', ms: 'bigint' })}
    left join health_counts on health_counts.name = asked.name
      and at > clock_timestamp() - asked.ms * interval '1 millisecond'
    group by asked.name`.execute(db);
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum])) as Record<TallyName, number>;
}
