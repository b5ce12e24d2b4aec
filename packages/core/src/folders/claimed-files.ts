import type { FolderKind } from '@draftshelf/domain/folders/folders';
import { sql } from 'kysely';
import { isWaitOver, timeFromNow } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { findRow, hasRows, queryRows, queryValue } from '../connection/query-rows.ts';
import type { WatchedFileRecord, WatchSourceRecord } from '../connection/schema.ts';
import { toStorableTime } from '../connection/storable-time.ts';
import { ClaimLost } from './sources.ts';

/** Maximum number of imports from folders in `processing`, so that many files do not delay an upload. */
export const folderImportsMax = 4;

/** Minutes before each retry of a failed read, move or deletion. */
export const retryMinutes = [1, 5, 15, 45] as const;

/** `claim` is a fencing token: a process whose claim was taken over cannot write any more. */
export type ClaimedFile = Pick<WatchedFileRecord, 'id' | 'claim'>;

const isDue = isWaitOver(sql.ref('watched_files.not_before'), sql.ref('watched_files.changed_at'));
const now = sql<Date>`clock_timestamp()`;

/** SQL condition: the file's folder is watched and readable. For a requested file, the folder need not be watched. */
const ofReadable = (kind: FolderKind) => sql<boolean>`exists (
  select from watch_sources
  where watch_sources.id = watched_files.source and watch_sources.place_key = watched_files.place_key
    and watch_sources.kind = ${kind} and watch_sources.place is not null
    and (watch_sources.state = 'ok' or (watch_sources.state = 'off' and watched_files.take_anyway))
    and ${isWaitOver(sql.ref('watch_sources.blocked_until'), sql.ref('watch_sources.changed_at'))})`;

/**
 * Claims the next file of a folder, the oldest first. Files that were being read when a process died come last and
 * alone. full: the limit of imports in `processing` is reached. Call it in a transaction, which blocks other claims.
 */
export async function claimFile(
  db: Db,
  kind: FolderKind,
  holder: string | null,
): Promise<{ is: 'claimed'; file: WatchedFileRecord } | { is: 'none' | 'full' }> {
  await sql`select pg_advisory_xact_lock(hashtext('draftshelf'), hashtext('claim watched file'))`.execute(db);
  const running = await queryValue<number>(db)`
    select (select count(*) from imports where source <> 'upload' and status = 'processing')
      + (select count(*) from watched_files join watch_sources on watch_sources.id = watched_files.source
        where watched_files.state = 'taking' and watch_sources.kind <> ${kind})
      as running`;
  if (running >= folderImportsMax) return { is: 'full' };
  const file = await findRow<WatchedFileRecord>(db)`
    update watched_files set state = 'taking', claim = claim + 1, held_by = ${holder}, changed_at = clock_timestamp()
    where id = (
      select id from watched_files
      where (state = 'taking' or (state = 'waiting' and ${isDue})) and ${ofReadable(kind)}
        and not exists (select from watched_files beside where beside.state = 'taking'
          and beside.held_by = ${holder} and beside.id <> watched_files.id
          and (beside.suspected or watched_files.suspected))
      order by suspected, modified_at nulls last, id limit 1)
    returning *`;
  return file ? { is: 'claimed', file } : { is: 'none' };
}

/** Locks a claimed file until the transaction ends. Throws ClaimLost if the claim is not valid any more. */
export async function lockClaimedFile(db: Db, { id, claim }: ClaimedFile): Promise<WatchedFileRecord> {
  const file = await findRow<WatchedFileRecord>(db)`
    select * from watched_files where id = ${id} and claim = ${claim} and state = 'taking' for update`;
  if (!file) throw new ClaimLost(`Claim ${claim} of watched file ${id}`);
  return file;
}

type FileChange = Partial<
  Pick<
    WatchedFileRecord,
    'state' | 'reason' | 'option' | 'option_wanted' | 'import_id' | 'sha256' | 'new_key' | 'attempts'
  >
>;

/** Ends a claim with its result. Returns false, without a change, if the claim is lost or has ended. */
export async function endClaim(db: Db, { id, claim }: ClaimedFile, change: FileChange & { waitMs?: number }) {
  const { waitMs, ...set } = change;
  const { numUpdatedRows } = await db
    .updateTable('watched_files')
    .set({
      ...set,
      ...{ claim: sql`claim + 1`, held_by: null },
      not_before: waitMs === undefined ? null : timeFromNow(waitMs),
      changed_at: now,
    })
    .where((eb) => eb.and({ id, claim }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a claim of a file that could not be read. The file is retried after a pause. After the last retry, it fails. */
export async function endFailedRead(
  db: Db,
  file: ClaimedFile & Pick<WatchedFileRecord, 'attempts'>,
  reason: string,
): Promise<void> {
  const minutes = retryMinutes[file.attempts];
  const attempts = file.attempts + 1;
  await endClaim(
    db,
    file,
    minutes === undefined
      ? { state: 'failed', reason, attempts }
      : { state: 'waiting', reason, attempts, waitMs: minutes * 60_000 },
  );
}

/** Replaces a claimed version, which no longer exists, by the current one, and lets it settle. Use a transaction. */
export async function replaceVersion(
  db: Db,
  file: ClaimedFile,
  current: Pick<WatchedFileRecord, 'version' | 'name' | 'bytes' | 'modified_at'>,
  settleMs: number,
): Promise<void> {
  const replaced = await findRow<
    Pick<WatchedFileRecord, 'source' | 'place_key' | 'file_key' | 'take_anyway'>
  >(db)`
    delete from watched_files
    where id = ${file.id} and claim = ${file.claim} and state in ('settling', 'waiting', 'taking')
    returning source, place_key, file_key, take_anyway`;
  if (!replaced) return;
  await db
    .insertInto('watched_files')
    .values({
      ...{ ...replaced, ...current, modified_at: toStorableTime(current.modified_at) },
      ...{ state: 'settling' as const, not_before: timeFromNow(settleMs) },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const settlingMax = 200;

/** Lists versions whose settling time is over, oldest first. */
export const listSettledFiles = (db: Db, kind: FolderKind) =>
  queryRows<WatchedFileRecord>(db)`
    select * from watched_files where state = 'settling' and ${isDue} and ${ofReadable(kind)}
    order by not_before limit ${settlingMax}`;

/** Whether files of a folder are settling, waiting, or being read. */
export const hasFilesToImport = (db: Db, kind: FolderKind) =>
  hasRows(db)`${prepared}
    select 1 from watched_files join watch_sources on watch_sources.id = watched_files.source
    where watch_sources.kind = ${kind} and watched_files.state in ('settling', 'waiting', 'taking') limit 1`;

/** Whether files of a folder are due to be moved or deleted. */
export const hasFilesToMove = (db: Db, kind: FolderKind) =>
  hasRows(db)`${prepared}
    select 1 from watched_files join watch_sources on watch_sources.id = watched_files.source
    where watch_sources.kind = ${kind} and watched_files.option = 'due' limit 1`;

export async function endSettling(
  db: Db,
  { id, claim }: ClaimedFile,
  { waitMs, ...set }: { state: 'settling' | 'waiting' | 'gone'; reason: string | null; waitMs?: number },
): Promise<void> {
  await db
    .updateTable('watched_files')
    .set({ ...set, not_before: waitMs === undefined ? null : timeFromNow(waitMs), changed_at: now })
    .where((eb) => eb.and({ id, claim, state: 'settling' }))
    .execute();
}

/** SQL condition: the import has rows and has left `processing`, so its file is stored completely. */
const hasLeftProcessing = sql<boolean>`(
  imports.status in ('queued', 'processed', 'uploading', 'completed')
  or (imports.status = 'paused' and imports.paused_from = 'uploading')
  or (imports.status = 'failed' and imports.failed_in = 'push'))`;

/** Claims a file that is due to be moved or deleted. The caller holds the task of the folder. */
export const claimFileAction = (db: Db, kind: FolderKind) =>
  findRow<WatchedFileRecord>(db)`
    update watched_files set claim = claim + 1, changed_at = clock_timestamp()
    where id = (
      select file.id from watched_files file
      join import_records as imports on imports.id = file.import_id
      join watch_sources on watch_sources.id = file.source and watch_sources.place_key = file.place_key
      where file.option = 'due' and ${isWaitOver(sql.ref('file.not_before'), sql.ref('file.changed_at'))}
        and ${hasLeftProcessing} and not imports.test_mode
        and watch_sources.kind = ${kind} and watch_sources.state = 'ok' and watch_sources.place is not null
        and ${isWaitOver(sql.ref('watch_sources.blocked_until'), sql.ref('watch_sources.changed_at'))}
      order by file.changed_at, file.id limit 1
      for update of file skip locked)
    returning *`;

/** Marks files of cancelled or deleted imports to stay in place. The caller holds the task of the folder. */
export async function keepUnimportedFiles(db: Db, kind: FolderKind): Promise<void> {
  await sql`
    update watched_files file set option = 'kept', changed_at = clock_timestamp(),
      reason = case when import_id is null then 'The import was deleted, so the file stayed.'
        else 'The import was cancelled, so the file stayed.' end
    where option = 'due' and source = (select id from watch_sources where kind = ${kind})
      and (import_id is null or exists (
      select from imports where id = import_id and (status = 'cancelled' or test_mode)))`.execute(db);
}

/** SQL: the mark of a version, computed like `findMark` in packages/folders. */
const mark = sql`left(encode(sha256(convert_to(file.file_key || chr(10) || file.version, 'UTF8')), 'hex'), 32)`;

/** Finds a folder's versions that have one of these marks and are not due to be moved or deleted. */
export const findFilesByMark = (
  db: Db,
  { id, place_key }: Pick<WatchSourceRecord, 'id' | 'place_key'>,
  marks: readonly string[],
) =>
  queryRows<WatchedFileRecord>(db)`
    select file.* from watched_files file
    where file.source = ${id} and file.place_key = ${place_key} and ${mark} = any(${marks}::text[])
      and file.option is distinct from 'due'`;

export async function endOption(
  db: Db,
  file: ClaimedFile & Pick<WatchedFileRecord, 'source'>,
  result: { option: 'archived' | 'deleted' | 'kept' | 'left'; reason?: string; newKey?: string | undefined },
): Promise<void> {
  const { option, reason = null, newKey = null } = result;
  const ended = await endClaim(db, file, { option, reason, new_key: newKey });
  if (ended && (option === 'archived' || option === 'deleted')) {
    await sql`
      update watch_sources set files = greatest(0, files - 1) where id = ${file.source}`.execute(db);
  }
}

/** Defers a file that cannot be moved or deleted now. After the last retry the file is kept in place. */
export async function deferFileAction(
  db: Db,
  file: ClaimedFile & Pick<WatchedFileRecord, 'source' | 'attempts'>,
  { sentence, waitMs }: { sentence: string; waitMs: number },
): Promise<void> {
  const minutes = retryMinutes[file.attempts];
  if (minutes === undefined) {
    await endOption(db, file, { option: 'kept', reason: sentence });
    return;
  }
  const attempts = file.attempts + 1;
  await endClaim(db, file, { reason: sentence, attempts, waitMs: Math.max(waitMs, minutes * 60_000) });
}
