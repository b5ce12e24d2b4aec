import type { FolderKind } from '@draftshelf/domain/folders/folders';
import { sql } from 'kysely';
import { hasWaited } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import type { WatchedFileRecord, WatchSourceRecord } from '../connection/schema.ts';
import { type ClaimedFile, endClaim, retryMinutes } from './claimed-files.ts';

/** The import has left `processing` with its rows: its file is stored byte for byte. */
const hasLeftProcessing = sql<boolean>`(
  imports.status in ('queued', 'processed', 'uploading', 'completed')
  or (imports.status = 'paused' and imports.paused_from = 'uploading')
  or (imports.status = 'failed' and imports.failed_in = 'push'))`;

const isDue = hasWaited(sql.ref('file.not_before'), sql.ref('file.changed_at'));

/** Claims a file to be moved or deleted, under the task of its folder. */
export async function claimOption(
  db: Db,
  kinds: readonly FolderKind[],
): Promise<WatchedFileRecord | undefined> {
  const { rows } = await sql<WatchedFileRecord>`
    update watched_files set claim = claim + 1, changed_at = clock_timestamp()
    where id = (
      select file.id from watched_files file
      join import_records as imports on imports.id = file.import_id
      join watch_sources on watch_sources.id = file.source and watch_sources.place_key = file.place_key
      where file.option = 'due' and ${isDue} and ${hasLeftProcessing} and not imports.test_mode
        and watch_sources.kind = any(${kinds}::text[]) and watch_sources.state = 'ok' and watch_sources.place is not null
        and ${hasWaited(sql.ref('watch_sources.blocked_until'), sql.ref('watch_sources.changed_at'))}
      order by file.changed_at, file.id limit 1
      for update of file skip locked)
    returning *`.execute(db);
  return rows[0];
}

/** Leaves files of cancelled or deleted imports where they are. Call it under the task of their folders. */
export async function keepUnimported(db: Db, kinds: readonly FolderKind[]): Promise<void> {
  await sql`
    update watched_files file set option = 'kept', changed_at = clock_timestamp(),
      reason = case when import_id is null then 'The import was deleted, so the file stayed.'
        else 'The import was cancelled, so the file stayed.' end
    where option = 'due' and source in (select id from watch_sources where kind = any(${kinds}::text[]))
      and (import_id is null or exists (
      select from imports where id = import_id and (status = 'cancelled' or test_mode)))`.execute(db);
}

/** SQL: the mark of a version, like `markOf` in packages/folders. */
const mark = sql`left(encode(sha256(convert_to(file.file_key || chr(10) || file.version, 'UTF8')), 'hex'), 32)`;

/** Finds versions of a place, by their marks, that are not to be moved or deleted. */
export async function findNotDue(
  db: Db,
  { id, place_key }: Pick<WatchSourceRecord, 'id' | 'place_key'>,
  marks: readonly string[],
): Promise<WatchedFileRecord[]> {
  const { rows } = await sql<WatchedFileRecord>`
    select file.* from watched_files file
    where file.source = ${id} and file.place_key = ${place_key} and ${mark} = any(${marks}::text[])
      and file.option is distinct from 'due'`.execute(db);
  return rows;
}

export async function endOption(
  db: Db,
  file: ClaimedFile & Pick<WatchedFileRecord, 'source'>,
  result: {
    option: 'archived' | 'deleted' | 'kept' | 'left';
    reason: string | null;
    newKey: string | null;
  },
): Promise<void> {
  const { option, reason, newKey } = result;
  const ended = await endClaim(db, file, { option, reason, new_key: newKey });
  if (ended && (option === 'archived' || option === 'deleted')) {
    await sql`
      update watch_sources set files = greatest(0, files - 1) where id = ${file.source}`.execute(db);
  }
}

/** Makes a file wait that cannot be moved or deleted now; after the last try it stays. */
export async function deferOption(
  db: Db,
  file: ClaimedFile & Pick<WatchedFileRecord, 'source' | 'attempts'>,
  { sentence, waitMs }: { sentence: string; waitMs: number },
): Promise<void> {
  const minutes = retryMinutes[file.attempts];
  if (minutes === undefined) {
    await endOption(db, file, { option: 'kept', reason: sentence, newKey: null });
    return;
  }
  const attempts = file.attempts + 1;
  await endClaim(db, file, { reason: sentence, attempts, waitMs: Math.max(waitMs, minutes * 60_000) });
}
