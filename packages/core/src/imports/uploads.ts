import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, queryValues } from '../connection/query-rows.ts';

/** Hourly sweeps that must have seen an upload before it counts as left over. No upload takes a day. */
export const sweepsMax = 24;

/** Identifies this database: a restored copy has another system identifier, a copy in the same Postgres another oid. */
export const thisDatabase = sql<string>`(
  select system_identifier || '/' || pg_database.oid
  from pg_control_system(), pg_database where datname = current_database())`;

/** Records that a file or photo is being stored, before its first byte: a left-over one can then be found. */
export async function recordUpload(db: Db, objectKey: string): Promise<void> {
  await sql`
    insert into uploads (object_key, database_id) values (${objectKey}, ${thisDatabase})
    on conflict (object_key) do update
      set database_id = excluded.database_id, sweeps = 0, swept_at = clock_timestamp()`.execute(db);
}

/** Ends an upload. Returns false if it counts as left over, so that its file may be gone. */
export async function endUpload(db: Db, objectKey: string): Promise<boolean> {
  const ended = await findRow<{ sweeps: number }>(db)`
    delete from uploads where object_key = ${objectKey} returning sweeps`;
  return ended !== undefined && ended.sweeps < sweepsMax;
}

/**
 * Counts a sweep, at most one per hour and upload, and returns the keys of left-over uploads. Ages are counts of
 * sweeps, not times: a clock that jumps adds one at most. Uploads of another database are another installation's.
 */
export async function sweepUploads(db: Db, keysMax: number): Promise<string[]> {
  await sql`
    update uploads set sweeps = sweeps + 1, swept_at = clock_timestamp()
    where swept_at not between clock_timestamp() - interval '1 hour' and clock_timestamp()`.execute(db);
  await sql`delete from uploads where database_id <> ${thisDatabase}`.execute(db);
  return queryValues<string>(db)`
    select object_key from uploads where sweeps >= ${sweepsMax} order by object_key
      limit ${keysMax}`;
}
