import type { FolderKind } from '@draftshelf/domain/folders/folders';
import { sql } from 'kysely';
import { fromNow, hasWaited } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import type { WatchedFileRecord } from '../connection/schema.ts';
import { storableTime } from '../connection/storable-time.ts';

/** Limit of imports from folders in `processing`, so that many files do not delay an upload. */
export const folderImportsMax = 4;

/** Pauses after failed attempts to read, move or delete a file. There are no more attempts. */
export const retryMinutes = [1, 5, 15, 45] as const;

/** A claim's number fences the writes of a process whose task another one has taken over. */
export type ClaimedFile = Pick<WatchedFileRecord, 'id' | 'claim'>;

/** Thrown to roll a transaction back when another process has claimed the file. */
export class ClaimLost extends Error {
  constructor({ id, claim }: ClaimedFile) {
    super(`Claim ${claim} of watched file ${id} is no longer current`);
    this.name = 'ClaimLost';
  }
}

const isDue = hasWaited(sql.ref('watched_files.not_before'), sql.ref('watched_files.changed_at'));
const now = sql<Date>`clock_timestamp()`;

/** Files of watched, readable places of these kinds. Files that an operator takes are read also while not watched. */
const ofReadable = (kinds: readonly FolderKind[]) => sql<boolean>`exists (
  select from watch_sources
  where watch_sources.id = watched_files.source and watch_sources.place_key = watched_files.place_key
    and watch_sources.kind = any(${kinds}::text[]) and watch_sources.place is not null
    and (watch_sources.state = 'ok' or (watch_sources.state = 'off' and watched_files.take_anyway))
    and ${hasWaited(sql.ref('watch_sources.blocked_until'), sql.ref('watch_sources.changed_at'))})`;

export type FileClaim = { is: 'claimed'; file: WatchedFileRecord } | { is: 'none' | 'full' };

/**
 * Claims the next file under its folder's task: the oldest that waits or was begun. Files with which a process died
 * come last and alone. full: the limit of processed imports is reached. In a transaction, which locks out other claims.
 */
export async function claimFile(
  db: Db,
  kinds: readonly FolderKind[],
  holder: string | null,
): Promise<FileClaim> {
  await sql`select pg_advisory_xact_lock(hashtext('draftshelf'), hashtext('claim watched file'))`.execute(db);
  const { rows } = await sql<{ running: number }>`
    select (select count(*) from imports where source <> 'upload' and status = 'processing')
      + (select count(*) from watched_files join watch_sources on watch_sources.id = watched_files.source
        where watched_files.state = 'taking' and watch_sources.kind <> all(${kinds}::text[]))
      as running`.execute(db);
  if ((rows[0]?.running ?? 0) >= folderImportsMax) return { is: 'full' };
  const next = db
    .selectFrom('watched_files')
    .select('id')
    .where((eb) => eb.or([eb('state', '=', 'taking'), eb.and([eb('state', '=', 'waiting'), isDue])]))
    .where(ofReadable(kinds))
    .where(
      sql<boolean>`not exists (select from watched_files beside where beside.state = 'taking'
        and beside.held_by = ${holder} and beside.id <> watched_files.id
        and (beside.suspected or watched_files.suspected))`,
    )
    .orderBy('suspected')
    .orderBy('modified_at', (order) => order.asc().nullsLast())
    .orderBy('id')
    .limit(1);
  const file = await db
    .updateTable('watched_files')
    .set({ state: 'taking', claim: sql`claim + 1`, held_by: holder, changed_at: now })
    .where('id', '=', next)
    .returningAll()
    .executeTakeFirst();
  return file ? { is: 'claimed', file } : { is: 'none' };
}

/** Locks a file that is being taken until the commit. Throws ClaimLost. */
export async function lockTaken(db: Db, { id, claim }: ClaimedFile): Promise<WatchedFileRecord> {
  const file = await db
    .selectFrom('watched_files')
    .selectAll()
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'taking')
    .forUpdate()
    .executeTakeFirst();
  if (!file) throw new ClaimLost({ id, claim });
  return file;
}

type FileChange = Partial<
  Pick<
    WatchedFileRecord,
    'state' | 'reason' | 'option' | 'option_wanted' | 'import_id' | 'sha256' | 'new_key' | 'attempts'
  >
>;

/** Ends a claim with its result. False: it was lost or has ended, and nothing has changed. */
export async function endClaim(
  db: Db,
  { id, claim }: ClaimedFile,
  change: FileChange & { waitMs?: number },
): Promise<boolean> {
  const { waitMs, ...set } = change;
  const { numUpdatedRows } = await db
    .updateTable('watched_files')
    .set({
      ...set,
      ...{ claim: sql`claim + 1`, held_by: null },
      not_before: waitMs === undefined ? null : fromNow(waitMs),
      changed_at: now,
    })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a claim whose file could not be read. It is tried again after a pause, until the last one. */
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

export type CurrentVersion = Pick<
  WatchedFileRecord,
  'version' | 'name' | 'bytes' | 'modified_at' | 'etag'
> & { settleMs: number };

/** Replaces a version that is gone by the current one, which settles. In a transaction. */
export async function replaceVersion(db: Db, file: ClaimedFile, current: CurrentVersion): Promise<void> {
  const { settleMs, ...values } = current;
  const replaced = await db
    .deleteFrom('watched_files')
    .where('id', '=', file.id)
    .where('claim', '=', file.claim)
    .where('state', 'in', ['settling', 'waiting', 'taking'])
    .returning(['source', 'place_key', 'file_key', 'take_anyway'])
    .executeTakeFirst();
  if (!replaced) return;
  await db
    .insertInto('watched_files')
    .values({
      ...{ ...replaced, ...values, modified_at: storableTime(values.modified_at) },
      ...{ state: 'settling' as const, not_before: fromNow(settleMs) },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const settlingMax = 200;

/** Lists versions whose time to settle is over, oldest first. */
export async function listSettled(db: Db, kinds: readonly FolderKind[]): Promise<WatchedFileRecord[]> {
  return db
    .selectFrom('watched_files')
    .selectAll()
    .where('state', '=', 'settling')
    .where(isDue)
    .where(ofReadable(kinds))
    .orderBy('not_before')
    .limit(settlingMax)
    .execute();
}

export async function endSettling(
  db: Db,
  { id, claim }: ClaimedFile,
  result: { is: 'settled' | 'gone' } | { is: 'later'; reason: string; waitMs: number },
): Promise<void> {
  const set =
    result.is === 'later'
      ? { reason: result.reason, not_before: fromNow(result.waitMs) }
      : {
          state: result.is === 'gone' ? ('gone' as const) : ('waiting' as const),
          reason: null,
          not_before: null,
        };
  await db
    .updateTable('watched_files')
    .set({ ...set, changed_at: now })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'settling')
    .execute();
}
