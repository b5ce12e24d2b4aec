import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/** Of an import, so many at a time: a process sends at most 160 products at once. */
const leftBehindMax = 500;

/** A product that a push of an import was sending, and that run; `run` null: a task has taken it over since. */
export type LeftBehind = { ourId: string; run: number | null };

/** Products of a shop whose write by a push of an import has no result. */
export async function listLeftBehind(db: Db, importId: string, shop: string): Promise<LeftBehind[]> {
  const { rows } = await sql<LeftBehind>`
    select listings.our_id as "ourId", case when chunks.kind = 'work' then chunks.run end as run
    from listings join chunks on chunks.id = listings.sending_chunk
    where listings.sending_chunk is not null and listings.sending is not null and listings.shop = ${shop}
      and chunks.import_id = ${importId} and chunks.stage = 'push'
    order by listings.our_id limit ${leftBehindMax}`.execute(db);
  return rows;
}
