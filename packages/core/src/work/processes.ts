import { type Insertable, type Selectable, sql } from 'kysely';
import { isInFuture, isRecent, timeAgo } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { hasRows, queryRows, queryValue } from '../connection/query-rows.ts';
import type { ProcessesTable } from '../connection/schema.ts';

/** A process is live until this long after its last heartbeat. Heartbeats come every 5 s, so it may miss two. */
const liveForMs = 15_000;
/** Time for which killed processes are listed. */
const shownMs = 60_000;
/** Time for which killed processes are remembered, so that repeated deaths are noticed. */
const knownMs = 30 * 60_000;
/** Minimum time between the beginnings of two sweeps of a stage. Shorter than the sweep's interval. */
const sweepHeldMs = 1_000;

export type ReportedProcess = Pick<
  Insertable<ProcessesTable>,
  'id' | 'kind' | 'version' | 'host' | 'pid' | 'slots' | 'waiting_for' | 'clock_skew_ms'
>;

export const ownBackendStart = sql<Date>`(select backend_start from pg_stat_get_activity(pg_backend_pid()))`;

/** Records a heartbeat and its connection, and inserts the process if its row was removed. Returns Postgres' time. */
export const recordHeartbeat = (
  db: Db,
  { id, kind, version, host, pid, slots, waiting_for = null, clock_skew_ms = 0 }: ReportedProcess,
) =>
  queryValue<Date>(db)`
    insert into processes (id, kind, version, host, pid, slots, waiting_for, clock_skew_ms, backend_pid, backend_start,
      answered_since)
    values (${id}, ${kind}, ${version}, ${host}, ${pid}, ${slots}, ${waiting_for}, ${clock_skew_ms}, pg_backend_pid(),
      ${ownBackendStart}, clock_timestamp())
    on conflict (id) do update set seen_at = clock_timestamp(), clock_skew_ms = excluded.clock_skew_ms, died_at = null,
      backend_pid = excluded.backend_pid, backend_start = excluded.backend_start,
      answered_since = case when ${isAlive} then processes.answered_since else clock_timestamp() end
    returning seen_at`;

export async function removeProcess(db: Db, id: string): Promise<void> {
  await db.deleteFrom('processes').where('id', '=', id).execute();
}

/**
 * Removes processes that have been silent for a minute or recorded as dead for half an hour. Keeps silent processes
 * with an open connection, which are alive. If the clock was set back, also removes processes seen in the future;
 * their next heartbeat inserts them again.
 */
export async function removeSilentProcesses(db: Db): Promise<void> {
  await sql`
    delete from processes where id in (
      select id from processes where ${isInFuture(sql.ref('seen_at'))} or not ${isProcessConnected}
        and seen_at < case when died_at is null then ${timeAgo(shownMs)} else ${timeAgo(knownMs)} end
      for update skip locked)`.execute(db);
}

export const isAlive = isRecent(sql.ref('processes.seen_at'), liveForMs);

/** SQL condition: the process that holds the chunk's latest claim is alive. */
export const hasLiveHolder = sql<boolean>`exists (
  select from processes where processes.id = chunks.held_by and ${isAlive})`;

/** SQL condition: the connection of the process's latest heartbeat is open, or this role may not see connections. */
export const isProcessConnected = sql<boolean>`exists (
  select from pg_stat_get_activity(coalesce(processes.backend_pid, 0)) as activity
  where coalesce(activity.backend_start = processes.backend_start, true))`;

/** SQL condition: the process is not recorded as dead, or it was seen within the last minute. */
export const isShownProcess = sql<boolean>`(processes.died_at is null or processes.seen_at > ${timeAgo(shownMs)})`;

export const countLiveProcesses = (db: Db, kind: ProcessesTable['kind']) =>
  queryValue<number>(db)`select count(*)::int as count from processes where kind = ${kind} and ${isAlive}`;

/** Returns the live processes that work on the current schema. Processes that wait for a migration are left out. */
export async function listWorkingProcesses(db: Db) {
  if (!(await queryValue<boolean>(db)`select to_regclass('processes') is not null as has`)) return [];
  return queryRows<Pick<Selectable<ProcessesTable>, 'kind' | 'version' | 'host' | 'pid'>>(db)`
    select kind, version, host, pid from processes where ${isAlive} and waiting_for is null order by kind`;
}

/** SQL expression: the number of slots of a stage's live workers. */
export function sumLiveSlots(kind: ProcessesTable['kind']) {
  return sql<number>`(
    select coalesce(sum(slots), 0)::int from processes where kind = ${kind} and ${isAlive})`;
}

/**
 * Records that this process begins a sweep of its stage. Returns false if another sweep began within `sweepHeldMs`, so
 * a process that freezes in a sweep delays others no longer than that. Call it under the stage's sweep lock.
 */
export const beginSweep = (db: Db, id: string) =>
  hasRows(db)`
    update processes set swept_at = clock_timestamp()
    where id = ${id} and not exists (
      select 1 from processes swept
      where swept.kind = processes.kind and ${isRecent(sql.ref('swept.swept_at'), sweepHeldMs)}) returning id`;
