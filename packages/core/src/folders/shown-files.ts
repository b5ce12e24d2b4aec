import { importableStates } from '@draftshelf/domain/folders/folder-state';
import {
  type FolderKind,
  type WatchedFileState,
  watchedFileStates,
} from '@draftshelf/domain/folders/folders';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { changeRows, findRow, hasRows, queryRows } from '../connection/query-rows.ts';
import type { WatchedFileRecord, WatchSourceRecord } from '../connection/schema.ts';
import { isAlive } from '../work/processes.ts';
import { oneDriveService } from './sign-ins.ts';
import { lookMsMax, wakeFolderWorkers } from './sources.ts';

/** Lists files, last changed first. `after` is a cursor of id and microseconds, which a JavaScript date would round. */
export async function listFolderFiles(
  db: Db,
  kind: FolderKind,
  page: { state?: WatchedFileState | undefined; after?: string | undefined; limit: number },
): Promise<{ files: WatchedFileRecord[]; next: string | null }> {
  const { state, after, limit } = page;
  const [micros = '', id = ''] = (after ?? '').split('_');
  const isOlder = sql`(changed_at, id) <
    ('epoch'::timestamptz + ${Number(micros)} * interval '1 microsecond', ${Number(id)}::bigint)`;
  const rows = await queryRows<WatchedFileRecord & { cursor_time: string }>(db)`
    select *, (extract(epoch from changed_at) * 1000000)::bigint::text as cursor_time from watched_files
    where ${ofPlace(kind)} and ${state === undefined ? sql`true` : sql`state = ${state}`}
      and ${after === undefined ? sql`true` : isOlder}
    order by changed_at desc, id desc limit ${limit + 1}`;
  const files = rows.slice(0, limit);
  const last = files.at(-1);
  return { files, next: rows.length > limit && last ? `${last.cursor_time}_${last.id}` : null };
}

const ofPlace = (kind: FolderKind) =>
  sql<boolean>`(source, place_key) = (select id, place_key from watch_sources where kind = ${kind})`;

export type FileCounts = Record<WatchedFileState, number> & {
  /** Number of files that were in the folder at the first look. */
  existing: number;
  present: number;
};

export async function countFolderFiles(db: Db, kind: FolderKind): Promise<FileCounts> {
  const rows = await queryRows<
    Record<'files' | 'unexplained' | 'kept', number> & { state: WatchedFileState }
  >(db)`
    select watched_files.state, count(*)::int as files, count(*) filter (where reason is null)::int as unexplained,
      count(*) filter (where option is null or option not in ('archived', 'deleted'))::int as kept
    from watched_files join watch_sources
      on watch_sources.id = source and watch_sources.place_key = watched_files.place_key
    where kind = ${kind} group by watched_files.state`;
  const names = [...watchedFileStates, 'existing', 'present'];
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as FileCounts;
  for (const { state, files, unexplained, kept } of rows) {
    counts[state] = files;
    if (state !== 'gone') counts.present += kept;
    if (state === 'ignored') counts.existing = unexplained;
  }
  return counts;
}

/** Queues an unread file and returns 'asked'. If the file cannot be queued, returns its state. Undefined: no file. */
export async function queueFile(
  db: Db,
  kind: FolderKind,
  id: number,
): Promise<WatchedFileState | 'asked' | undefined> {
  const isTaken = await hasRows(db)`
    update watched_files set state = 'waiting', take_anyway = true, reason = null, attempts = 0, deaths = 0,
      suspected = false, not_before = null, option = null, import_id = null, changed_at = clock_timestamp()
    where id = ${id} and ${ofPlace(kind)} and state = any(${importableStates}::text[])
      and (option is null or option not in ('archived', 'deleted')) returning id`;
  if (isTaken) {
    await wakeFolderWorkers(db);
    return 'asked';
  }
  const file = await findRow<{ state: WatchedFileState }>(db)`
    select watched_files.state from watched_files join watch_sources on watch_sources.id = source
    where watched_files.id = ${id} and kind = ${kind}`;
  return file?.state;
}

/** Queues or ignores held files, and first-look files that await an answer. Returns their number. Use a transaction. */
export async function decideHeldFiles(db: Db, kind: FolderKind, action: 'take' | 'ignore'): Promise<number> {
  const source = await findRow<Pick<WatchSourceRecord, 'id' | 'place_key' | 'baseline'>>(db)`
    select id, place_key, baseline from watch_sources where kind = ${kind} for update`;
  if (!source) return 0;
  const answered = sql`
    source = ${source.id} and place_key = ${source.place_key}
      and (state = 'held' or (state = 'ignored' and reason is null and ${source.baseline === 'asked'}))`;
  const isTaken = action === 'take';
  const answers = await changeRows(db)`
    update watched_files set state = ${isTaken ? 'settling' : 'ignored'}, not_before = null,
      changed_at = clock_timestamp()
    where ${answered}`;
  await sql`
    update watch_sources set baseline = ${isTaken ? 'taken' : 'ignored'}, changed_at = clock_timestamp()
    where id = ${source.id} and baseline = 'asked'`.execute(db);
  await wakeFolderWorkers(db);
  return answers;
}

/** `workers` is the number of running folder workers. */
export type StoredFolder = WatchSourceRecord & {
  isLooking: boolean;
  isSignedIn: boolean;
  workers: number;
  counts: FileCounts;
};

/** SQL condition: a look is running. False if `look_until` is too far in the future: the clock was set back. */
const isLooking = sql<boolean>`coalesce(look_until > clock_timestamp()
  and look_until < clock_timestamp() + ${sql.lit(lookMsMax)} * interval '1 millisecond', false)`;

/** SQL: the folders. OneDrive is included even if no worker has inserted it yet. */
const folders = sql`(
  select * from watch_sources union all
  select (jsonb_populate_record(null::watch_sources, '{"kind": "onedrive", "state": "setup", "baseline": "asked",
    "simulated": false, "failures": 0, "look": 0, "changed_at": "epoch"}')).*
  where not exists (select from watch_sources where kind = 'onedrive')) folders`;

/** Reads the watched folders, the local folder first. */
export async function readFolders(db: Db): Promise<StoredFolder[]> {
  const found = await queryRows<Omit<StoredFolder, 'counts'>>(db)`
    select *, ${isLooking} as "isLooking", kind = 'local' or exists (
        select 1 from credentials where service = ${oneDriveService} and replaced_at is null
      ) as "isSignedIn",
      (select count(*)::int from processes where kind = 'folder-worker' and ${isAlive}) as workers
    from ${folders} order by kind`;
  const read: StoredFolder[] = [];
  for (const folder of found) read.push({ ...folder, counts: await countFolderFiles(db, folder.kind) });
  return read;
}

export const readLook = (db: Db, kind: FolderKind) =>
  findRow<{ look: number; isLooking: boolean }>(db)`
    select look, ${isLooking} as "isLooking" from watch_sources where kind = ${kind}`;
