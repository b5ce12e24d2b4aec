import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, queryValues } from '../connection/query-rows.ts';

/** Number of hourly sweeps after which an upload counts as left over. A day is longer than any upload. */
export const uploadSweepsMax = 24;

/** SQL value: id of this database. On a copy, the system identifier differs or, on the same server, the oid. */
export const databaseIdentity = sql<string>`(
  select system_identifier || '/' || pg_database.oid
  from pg_control_system(), pg_database where datname = current_database())`;

/** Records an upload. Call it before the first byte is stored, so that a left-over file or photo can be found. */
export async function recordUpload(db: Db, objectKey: string): Promise<void> {
  await sql`
    insert into uploads (object_key, database_id) values (${objectKey}, ${databaseIdentity})
    on conflict (object_key) do update
      set database_id = excluded.database_id, sweeps = 0, swept_at = clock_timestamp()`.execute(db);
}

/** Ends an upload. Returns false if the upload already counts as left over, so that its file may be gone. */
export async function endUpload(db: Db, objectKey: string): Promise<boolean> {
  const ended = await findRow<{ sweeps: number }>(db)`
    delete from uploads where object_key = ${objectKey} returning sweeps`;
  return ended !== undefined && ended.sweeps < uploadSweepsMax;
}

/**
 * Counts a sweep, at most once per hour and upload, and returns keys of left-over uploads. Age is counted in sweeps,
 * because a clock that jumps adds at most one sweep. Forgets uploads of the database from which this one was copied.
 */
export async function sweepUploads(db: Db, keysMax: number): Promise<string[]> {
  await sql`
    update uploads set sweeps = sweeps + 1, swept_at = clock_timestamp()
    where swept_at not between clock_timestamp() - interval '1 hour' and clock_timestamp()`.execute(db);
  await sql`delete from uploads where database_id <> ${databaseIdentity}`.execute(db);
  return queryValues<string>(db)`
    select object_key from uploads where sweeps >= ${uploadSweepsMax} order by object_key
      limit ${keysMax}`;
}
