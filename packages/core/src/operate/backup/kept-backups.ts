import { type Selectable, sql } from 'kysely';
import { isRecent, timeAgo } from '../../connection/clock.ts';
import type { Db } from '../../connection/database.ts';
import { findRow, hasRows, queryRow, queryRows } from '../../connection/query-rows.ts';
import type { BackupCheck, BackupsTable } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';

export type KeptBackup = { directory: string; takenAt: Date; check: BackupCheck | null };

/** Lists the keeper's backups, newest first. Backups with a time in the future come last. */
export const listKeptBackups = (db: Db) =>
  queryRows<KeptBackup>(db)`
    select directory, taken_at as "takenAt", check_result as check from backups
    where bytes is not null and removed_at is null order by taken_at > clock_timestamp(), taken_at desc`;

export async function recordKeptBackup(db: Db, directory: string, bytes: number): Promise<void> {
  await db.insertInto('backups').values({ directory, bytes }).execute();
}

/** Records that the keeper removed a backup, or did not find it in its folder. */
export async function markBackupRemoved(db: Db, directory: string): Promise<void> {
  await sql`update backups set removed_at = now() where directory = ${directory}`.execute(db);
}

export async function recordBackupCheck(db: Db, directory: string, result: BackupCheck): Promise<void> {
  await sql`
    update backups set checked_at = clock_timestamp(), check_result = ${storableJson(result)}
    where directory = ${directory}`.execute(db);
}

/** SQL condition: a restore of the backup succeeded without a difference. */
export const isProvenBackup = sql<boolean>`(check_result->>'count' = '0' and check_result->>'problem' is null)`;

/** Whether a restore of a backup succeeded without a difference within the last `recentMs`. */
export const hasProvenBackup = (db: Db, recentMs: number) =>
  hasRows(db)`
    select from backups where ${isProvenBackup} and ${isRecent(sql.ref('checked_at'), recentMs)} limit 1`;

/** Reads the last restore's differences. `isOverdue`: the oldest backup and last proof are older than `overdueMs`. */
export const readRestoreFacts = (db: Db, overdueMs: number) =>
  queryRow<{ differences: number; isOverdue: boolean }>(db)`
    select coalesce((select (check_result->>'count')::int from backups
        where checked_at is not null order by checked_at desc limit 1), 0) as differences,
      exists (select from backups where bytes is not null and taken_at < ${timeAgo(overdueMs)})
        and not exists (select from backups where ${isProvenBackup} and ${isRecent(sql.ref('checked_at'), overdueMs)})
        as "isOverdue"`;

export const readImportActivity = (db: Db, before: Date) =>
  queryRow<{ hasImports: boolean; isReading: boolean }>(db)`
    select exists (select from imports where created_at < ${before}) as "hasImports",
      exists (select from imports where status = 'processing') as "isReading"`;

export async function readKeptBackups(db: Db): Promise<{
  last: { takenAt: Date; bytes: number; kept: number } | null;
  check: { at: Date; result: BackupCheck } | null;
}> {
  const kept = await listKeptBackups(db);
  const newest = (column: 'taken_at' | 'checked_at') =>
    findRow<Selectable<BackupsTable>>(db)`
      select * from backups where bytes is not null and ${sql.ref(column)} is not null
      order by ${sql.ref(column)} desc limit 1`;
  const [last, checked] = [await newest('taken_at'), await newest('checked_at')];
  return {
    last: last ? { takenAt: last.taken_at, bytes: last.bytes ?? 0, kept: kept.length } : null,
    check:
      checked?.checked_at && checked.check_result
        ? { at: checked.checked_at, result: checked.check_result }
        : null,
  };
}
