import type { FolderKind, FolderState, FolderTrouble } from '@draftshelf/domain/folders/folders';
import { folderTroubleActivity } from '@draftshelf/domain/imports/activity';
import { sql } from 'kysely';
import { isRecent, isWaitOver, timeFromNow } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { findRow, hasRows } from '../connection/query-rows.ts';
import type { WatchedFolder, WatchSourceRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { recordFolderEvent } from '../imports/record-event.ts';
import { requestTasks } from '../work/background-tasks.ts';

const now = sql<Date>`clock_timestamp()`;

/** Makes the tasks of folders due. */
export async function wakeFolderWorkers(db: Db): Promise<void> {
  await requestTasks(db, ['poll-folder', 'take-files', 'move-files']);
}

export const findWatchSource = (db: Db, kind: FolderKind) =>
  findRow<WatchSourceRecord>(db)`select * from watch_sources where kind = ${kind}`;

/** Inserts missing folders of the kinds that a worker serves. Marks folders of other kinds as not set up. */
export async function ensureWatchSources(db: Db, kinds: readonly FolderKind[]): Promise<void> {
  await sql`
    insert into watch_sources (kind, next_look_at)
    select kind, clock_timestamp() from unnest(${kinds}::text[]) kind on conflict (kind) do nothing`.execute(
    db,
  );
  await sql`
    update watch_sources set state = 'setup', next_look_at = null, changed_at = clock_timestamp()
    where state <> 'setup' and kind <> all(${kinds}::text[])`.execute(db);
}

/** Turns watching on or off. If on, a folder without a planned look is due at once, and then every `everyMs`. */
export async function setWatching(
  db: Db,
  kind: FolderKind,
  { isOn, everyMs }: { isOn: boolean; everyMs: number },
): Promise<void> {
  if (!isOn) {
    await sql`
      update watch_sources set state = 'off', next_look_at = null, ${troubleReset}, changed_at = clock_timestamp()
      where kind = ${kind} and state <> 'off'`.execute(db);
    return;
  }
  // A folder that was off shows trouble only after its first look.
  const next = sql`case when next_look_at is null then clock_timestamp() when failures = 0
    then least(next_look_at, looked_at + ${everyMs} * interval '1 millisecond') else next_look_at end`;
  await sql`
    update watch_sources set state = case when state = 'off' then 'waiting' else state end, next_look_at = ${next},
      changed_at = clock_timestamp()
    where kind = ${kind} and (state = 'off' or next_look_at is distinct from ${next})`.execute(db);
}

/** Makes a look due. too soon: less than `pauseMs` since the last request. blocked: the folder's service throttles. */
export async function requestLook(
  db: Db,
  kind: FolderKind,
  pauseMs: number,
): Promise<{ is: 'requested' | 'too soon' | 'unknown' } | { is: 'blocked'; waitMs: number }> {
  const found = await findRow<{ isTooSoon: boolean; waitMs: number | null }>(db)`
    with source as (
      select id, coalesce(${isRecent(sql`asked_at`, pauseMs)}, false) as is_too_soon,
        case when trouble_kind = 'throttled' and blocked_until > clock_timestamp()
          then (extract(epoch from blocked_until - clock_timestamp()) * 1000)::int end as wait_ms
      from watch_sources where kind = ${kind} for update
    ), requested as (
      update watch_sources set asked_at = clock_timestamp(), next_look_at = clock_timestamp(),
        changed_at = clock_timestamp(), blocked_until = case when wait_ms is not null then blocked_until end
      from source where watch_sources.id = source.id and not is_too_soon
    )
    select is_too_soon as "isTooSoon", wait_ms as "waitMs" from source`;
  if (found === undefined) return { is: 'unknown' };
  if (found.isTooSoon) return { is: 'too soon' };
  await wakeFolderWorkers(db);
  return found.waitMs === null ? { is: 'requested' } : { is: 'blocked', waitMs: found.waitMs };
}

/** Makes a look due after a change of settings. Ends a pause, unless the folder's service requires the pause. */
export async function makeLookDue(db: Db, kind: FolderKind): Promise<void> {
  await sql`
    update watch_sources set next_look_at = clock_timestamp(), changed_at = clock_timestamp(),
      blocked_until = case when trouble_kind = 'throttled' then blocked_until end
    where kind = ${kind} and next_look_at is not null`.execute(db);
}

/** `look` is a fencing token: a process whose look was taken over cannot write any more. */
export type CurrentLook = Pick<WatchSourceRecord, 'id' | 'look'>;

/** Thrown to roll back if another process has claimed the file or the look. */
export class ClaimLost extends Error {
  constructor(what: string) {
    super(`${what} is no longer current`);
    this.name = 'ClaimLost';
  }
}

const due = (column: 'next_look_at' | 'blocked_until') => isWaitOver(sql.ref(column), sql.ref('changed_at'));

/** Whether a folder is missing, due for a look, or in a state that contradicts the settings. */
export async function isFolderLookDue(db: Db, kind: FolderKind, isOn: boolean): Promise<boolean> {
  const isToChange = isOn ? sql`state = 'off' or next_look_at is null` : sql`state <> 'off'`;
  return !(await hasRows(db)`
    select 1 from watch_sources where kind = ${kind}
      and not (${isToChange} or (next_look_at is not null and ${due('next_look_at')} and ${due('blocked_until')}))`);
}

/** Maximum duration of a look. */
export const lookMsMax = 120_000;

export const beginLook = (db: Db, kind: FolderKind) =>
  findRow<WatchSourceRecord>(db)`
    update watch_sources set look = look + 1, look_until = ${timeFromNow(lookMsMax)}, changed_at = clock_timestamp()
    where id = (
      select id from watch_sources
      where kind = ${kind} and next_look_at is not null and ${due('next_look_at')} and ${due('blocked_until')}
      for update skip locked)
    returning *`;

const heldBy = ({ id, look }: CurrentLook) => sql<boolean>`(id = ${id} and look = ${look})`;

export async function releaseLook(db: Db, look: CurrentLook): Promise<void> {
  await sql`update watch_sources set look_until = null where ${heldBy(look)}`.execute(db);
}

/** Locks the folder of a look until the transaction ends. Throws ClaimLost if the look is not current any more. */
export async function lockLook(db: Db, look: CurrentLook): Promise<WatchSourceRecord> {
  const source = await findRow<WatchSourceRecord>(db)`
    select * from watch_sources where ${heldBy(look)} for update`;
  if (!source) throw new ClaimLost(`Look ${look.look}`);
  return source;
}

/** Stores the location that a look found. A new key begins a new baseline, as at a first look. Throws ClaimLost. */
export async function storeFolderLocation(
  db: Db,
  look: CurrentLook,
  found: { key: string; place: WatchedFolder; canWrite: boolean },
): Promise<WatchSourceRecord> {
  const isSame = sql`place_key is not distinct from ${found.key}`;
  const stored = await findRow<WatchSourceRecord>(db)`
    update watch_sources set place_key = ${found.key}, place = ${storableJson(found.place)},
      can_write = ${found.canWrite}, cursor = case when ${isSame} then cursor end,
      baseline = case when ${isSame} then baseline else 'asked' end,
      looked_at = case when ${isSame} then looked_at end, files = case when ${isSame} then files end,
      changed_at = clock_timestamp()
    where ${heldBy(look)} returning *`;
  if (!stored) throw new ClaimLost(`Look ${look.look}`);
  return stored;
}

/** SQL assignments that clear the trouble of a folder. */
export const troubleReset = sql`trouble = null, trouble_kind = null, trouble_cause = null, trouble_since = null,
  failures = 0, blocked_until = null`;

/** Ends a look in the transaction that locked the look and stored its files. `more`: the next look is due at once. */
export async function endLook(
  db: Db,
  { id, kind, state }: WatchSourceRecord,
  result: {
    cursor: string | null;
    more: boolean;
    isEmptyBaseline: boolean;
    files: number | null;
    everyMs: number;
  },
): Promise<void> {
  const { cursor, more, isEmptyBaseline, files, everyMs } = result;
  // If the first look found no files, there is nothing to ask the operator about.
  await sql`
    update watch_sources set cursor = ${cursor}, state = 'ok', ${troubleReset}, files = ${files},
      looked_at = case when ${more} then looked_at else clock_timestamp() end,
      baseline = case when ${isEmptyBaseline} then 'ignored' else baseline end,
      next_look_at = ${more ? now : timeFromNow(everyMs)}, look_until = null, changed_at = clock_timestamp()
    where id = ${id}`.execute(db);
  if (state === 'trouble') await recordFolderEvent(db, folderTroubleActivity(kind, null));
}

/** Ends a look at a folder that is not watched. Such a look only finds the folder's location. */
export async function endUnwatchedLook(db: Db, look: CurrentLook): Promise<void> {
  await sql`
    update watch_sources set state = 'off', ${troubleReset}, next_look_at = null, look_until = null,
      changed_at = clock_timestamp()
    where ${heldBy(look)}`.execute(db);
}

/** `message` is a sentence. `waitMs` is the requested pause. Null means the usual pause. */
export type TroubleReport = {
  kind: FolderTrouble;
  message: string;
  detail: string | null;
  waitMs: number | null;
};

const pauseMs = { first: 10_000, max: 600_000, throttled: 30_000, throttledMax: 1_800_000 };
/** Trouble that may pass by itself is shown from this number of consecutive failures on. */
const shownAfter = 3;

/** Stores the failure of a look or claim, with a pause that doubles. The activity shows only the first failure. */
export async function recordTrouble(db: Db, source: { id: string; look?: number }, trouble: TroubleReport) {
  const before = await findRow<WatchSourceRecord>(db)`
    select * from watch_sources
    where id = ${source.id} ${source.look === undefined ? sql`` : sql`and look = ${source.look}`} for update`;
  if (!before) return;
  const failures = before.failures + 1;
  const state = stateAfter(before.state, trouble, failures);
  const wait = timeFromNow(waitMsOf(trouble, failures));
  await db
    .updateTable('watch_sources')
    .set({
      state,
      trouble: trouble.message,
      trouble_kind: trouble.kind,
      trouble_cause: trouble.detail,
      trouble_since: before.trouble_since ?? now,
      failures,
      blocked_until: wait,
      next_look_at: state === 'off' ? null : wait,
      look_until: null,
      ...(trouble.kind === 'start over' ? { cursor: null } : {}),
      // Ends the claim of the running look, because the end of the look would also end this pause.
      ...(source.look === undefined && trouble.kind === 'throttled' ? { look: sql<number>`look + 1` } : {}),
      changed_at: now,
    })
    .where('id', '=', before.id)
    .execute();
  if (before.state !== 'trouble' && state === 'trouble') {
    await recordFolderEvent(db, folderTroubleActivity(before.kind, trouble.message));
  }
}

function stateAfter(before: FolderState, { kind }: TroubleReport, failures: number): FolderState {
  if (kind === 'setup') return 'setup';
  if (before === 'off') return 'off';
  if (kind === 'throttled') return 'waiting';
  const isPassing = kind === 'network' || kind === 'start over';
  return isPassing && failures < shownAfter ? before : 'trouble';
}

function waitMsOf({ kind, waitMs }: TroubleReport, failures: number): number {
  if (waitMs !== null) return waitMs;
  if (kind === 'start over' && failures === 1) return 0;
  const [first, max] =
    kind === 'throttled' ? [pauseMs.throttled, pauseMs.throttledMax] : [pauseMs.first, pauseMs.max];
  return Math.min(max, first * 2 ** Math.min(failures - 1, 20));
}
