import { toShownFilename } from '@draftshelf/domain/base/file-name';
import type { WatchedFileState } from '@draftshelf/domain/folders/folders';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows, queryValues } from '../connection/query-rows.ts';
import type { WatchSourceRecord } from '../connection/schema.ts';
import { toStorableTime } from '../connection/storable-time.ts';
import { unnestRows } from '../connection/unnest-rows.ts';

export type SeenFile = {
  key: string;
  version: string;
  name: string;
  bytes: number;
  modifiedAt: Date | null;
  state: WatchedFileState;
  reason: string | null;
  settleMs: number;
};

const batchFiles = 1_000;
/** Maximum number of new files per look. More are held for the operator: the wrong directory may be mounted. */
export const newFilesMax = 1_000;

const newerVersion = 'A newer version of this file arrived.';
const settlesAt = (ms: RawBuilder<unknown>) =>
  sql<Date>`clock_timestamp() + ${ms}::bigint * interval '1 millisecond'`;

/** The version stored for an unreadable file. No readable file has this version. */
const unseenVersion = '';

type OfPlace = Pick<WatchSourceRecord, 'id' | 'place_key'>;

/**
 * Inserts the new versions that a look found and updates `seen_at`. `isBaseline`: this is the first look, whose files
 * are ignored until the operator answers. `unseen`: keys of unreadable files. Files that the first look could not read
 * stay ignored when they become readable. Returns the number of new readable files.
 */
export async function storeSeenFiles(
  db: Db,
  source: OfPlace,
  files: readonly SeenFile[],
  { isBaseline, unseen }: { isBaseline: boolean; unseen: readonly string[] },
): Promise<number> {
  const fresh: SeenFile[] = [];
  for (const batch of batchesOf(files)) fresh.push(...(await unknownAmong(db, source, batch)));
  const before = new Set<string>();
  for (const batch of batchesOf(fresh)) {
    for (const key of await unseenBefore(db, source, batch)) before.add(key);
  }
  const isRead = ({ state }: SeenFile) => state === 'settling' || state === 'waiting';
  const added = fresh.filter((file) => isRead(file) && !before.has(file.key)).length;
  const stored = fresh.map((file): SeenFile => {
    if (!isRead(file)) return file;
    if (isBaseline || before.has(file.key)) return { ...file, state: 'ignored', reason: null };
    return added > newFilesMax ? { ...file, state: 'held' } : file;
  });
  for (const batch of batchesOf(stored)) {
    await endOlderVersions(db, source, batch);
    await insertFiles(db, source, batch);
  }
  for (const batch of batchesOf(isBaseline ? unseen : [])) {
    await insertFiles(db, source, batch.map(unseenFile));
  }
  return added;
}

const unseenFile = (key: string): SeenFile => ({
  ...{ key, version: unseenVersion, name: key, bytes: 0, modifiedAt: null },
  ...{ state: 'ignored', reason: null, settleMs: 0 },
});

/** Finds keys of files that were unreadable at the first look and are still ignored. */
const unseenBefore = (db: Db, { id, place_key }: OfPlace, batch: readonly SeenFile[]) =>
  queryValues<string>(db)`
    select file_key from watched_files
    where source = ${id} and place_key = ${place_key} and version = ${unseenVersion} and state = 'ignored'
      and file_key = any(${batch.map(({ key }) => key)}::text[])`;

function* batchesOf<T>(files: readonly T[]): Generator<T[]> {
  for (let at = 0; at < files.length; at += batchFiles) yield files.slice(at, at + batchFiles);
}

/** Returns files with unknown versions. If a known version was gone and is back, its settling time begins again. */
async function unknownAmong(db: Db, { id, place_key }: OfPlace, batch: SeenFile[]): Promise<SeenFile[]> {
  const listed = batch.map(({ key, version }, at) => ({ key, version, at }));
  const rows = await queryRows<{ at: number; id: number | null; settle: boolean }>(db)`
    select seen.at, stored.id, coalesce(stored.state = 'gone', false) as settle
    from ${unnestRows('seen', listed, { key: 'text', version: 'text', at: 'int' })}
    left join watched_files stored on stored.source = ${id} and stored.place_key = ${place_key}
      and stored.file_key = seen.key and stored.version = seen.version
    where stored.id is null or stored.state = 'gone' or stored.seen_at < clock_timestamp() - interval '1 day'`;
  const known = rows
    .filter((row) => row.id !== null)
    .map(({ id: stored, settle, at }) => ({ id: stored, settle, ms: batch[at]?.settleMs ?? 0 }));
  if (known.length > 0) {
    await sql`
      update watched_files set seen_at = clock_timestamp(),
        state = case when back.settle then 'settling' else watched_files.state end,
        changed_at = case when back.settle then clock_timestamp() else watched_files.changed_at end,
        reason = case when back.settle then null else watched_files.reason end,
        not_before = case when back.settle then ${settlesAt(sql`back.ms`)} else watched_files.not_before end
      from ${unnestRows('back', known, { id: 'bigint', settle: 'boolean', ms: 'bigint' })}
      where watched_files.id = back.id`.execute(db);
  }
  return rows.flatMap((row) => (row.id === null ? (batch[row.at] ?? []) : []));
}

/** Deletes older versions that were never claimed or never readable. Marks the other older versions as gone. */
async function endOlderVersions(db: Db, { id, place_key }: OfPlace, batch: SeenFile[]): Promise<void> {
  const keys = batch.map(({ key }) => key);
  const older = (states: RawBuilder<unknown>) => sql`
    source = ${id} and place_key = ${place_key} and file_key = any(${keys}::text[]) and state in (${states})`;
  await sql`
    delete from watched_files where ${older(sql`'settling', 'waiting', 'ignored'`)} and claim = 0
      and (state <> 'ignored' or version = ${unseenVersion})`.execute(db);
  await sql`
    update watched_files set state = 'gone', reason = ${newerVersion}, changed_at = clock_timestamp()
    where ${older(sql`'held', 'settling', 'waiting', 'ignored', 'refused', 'failed'`)}`.execute(db);
}

async function insertFiles(db: Db, { id, place_key }: OfPlace, batch: readonly SeenFile[]): Promise<void> {
  const listed = batch.map((file) => ({
    ...file,
    name: toShownFilename(file.name),
    modifiedAt: toStorableTime(file.modifiedAt)?.toISOString() ?? null,
  }));
  const columns = {
    key: 'text',
    version: 'text',
    name: 'text',
    bytes: 'bigint',
    modifiedAt: 'text',
    state: 'text',
    reason: 'text',
    settleMs: 'bigint',
  } as const;
  await sql`
    insert into watched_files (source, place_key, file_key, version, name, bytes, modified_at, state, reason, not_before)
    select ${id}, ${place_key}, key, version, name, bytes, modified_at::timestamptz, state, reason,
      case state when 'settling' then ${settlesAt(sql`settle_ms`)} end
    from ${unnestRows('listed', listed, columns)}
    on conflict do nothing`.execute(db);
}

/** Marks waiting files as gone: those in `keys` or, after a look at all files, those not in `allBut`. */
export async function markFilesGone(
  db: Db,
  { id, place_key }: OfPlace,
  gone: { keys: readonly string[] } | { allBut: readonly string[] },
): Promise<void> {
  const isGone =
    'keys' in gone ? sql`file_key = any(${gone.keys}::text[])` : sql`file_key <> all(${gone.allBut}::text[])`;
  await sql`
    update watched_files set state = 'gone', reason = null, changed_at = clock_timestamp()
    where source = ${id} and place_key = ${place_key} and state in ('settling', 'waiting')
      and ${isGone}`.execute(db);
}

const keptDays = 90;

/** Deletes files that were not seen for 90 days. Call it only for folders of which a look lists all files. */
export async function forgetOldFiles(db: Db, { id }: OfPlace): Promise<void> {
  await sql`
    delete from watched_files where id in (
      select id from watched_files
      where source = ${id} and seen_at < clock_timestamp() - ${sql.lit(keptDays)} * interval '1 day'
        and state <> 'taking' and option is distinct from 'due'
      order by seen_at limit ${batchFiles})`.execute(db);
}
