import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/** Number of pushes that are measured. */
const pushesMax = 10;
/** Older pushes are no measure of the store's current rate. */
const daysMax = 7;
/** With fewer products, a push mostly waits for its steps. */
const productsMin = 10;

/**
 * Products per second that the last completed pushes wrote to a shop; null without such a push. Names all ended
 * statuses first, because the index imports_latest_ended has them as its condition.
 */
export async function readPushPace(db: Db, shop: string): Promise<number | null> {
  const { rows } = await sql<{ pace: number | null }>`
    select sum(written)::float8 / nullif(sum(seconds), 0)::float8 as pace from (
      select created + updated as written, extract(epoch from completed_at - started_at) as seconds
      from imports
      where status in ('completed','failed','cancelled') and completed_at > now() - ${daysMax} * interval '1 day'
        and status = 'completed' and shop = ${shop} and created + updated >= ${productsMin}
        and completed_at > started_at
      order by completed_at desc, id limit ${pushesMax}) last_pushes`.execute(db);
  return rows[0]?.pace ?? null;
}
