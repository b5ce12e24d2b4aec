import { type BackgroundKind, backgroundKinds, backgroundTaskOf } from '@draftshelf/domain/work/task-catalog';
import { type RawBuilder, sql } from 'kysely';
import { timeFromNow } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { prepared, toLiteralArray } from '../connection/prepared.ts';
import { changeRows, findValue, hasRows, queryRows } from '../connection/query-rows.ts';
import type { ChunkRecord } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { type ClaimedChunk, isChunkDue, isHeldByClaim } from './claim-chunk.ts';
import { wakeTaskRunners } from './notify-chunks.ts';
import { hasLiveHolder } from './processes.ts';

type TaskNames = { kind: BackgroundKind; subject: string };

/** A claimed background task, which belongs to no import. `claims` never decreases. */
export type ClaimedTask = Omit<ChunkRecord, keyof TaskNames> & TaskNames;

const now = sql<Date>`clock_timestamp()`;

/** SQL condition: a live process runs the task. */
export const isHeld = sql<boolean>`(chunks.state = 'published' and ${hasLiveHolder})`;

const isOf = ({ kind, subject }: TaskNames) => sql<boolean>`(subject = ${subject} and task = ${kind})`;

/** SQL value: the time at which a running task is to run again, because a run was requested meanwhile. */
const requestedFor = sql<Date | null>`not_before`;

/** SQL assignments: make a task due at `due`, or only on request if `due` is null. A running task stays published. */
const dueAt = (due: RawBuilder<unknown>) => sql`
  not_before = ${due}, deferred_at = clock_timestamp(), state = case when chunks.state = 'published' then 'published'
    when ${due} is null then 'done' else 'pending' end`;

/** Makes the periodic tasks of a starting process due, because its environment may have changed. */
export async function requestPeriodicTasks(db: Db, served: readonly ServedTaskKind[]): Promise<void> {
  const periodic = served.filter(({ kind }) => backgroundTaskOf(kind).everyMs !== undefined);
  for (const { kind, subjects } of periodic)
    for (const subject of subjects ?? ['']) await requestTask(db, kind, subject);
}

const insertTask = ({ kind, subject }: TaskNames, afterMs: number) => sql`
  insert into chunks (kind, task, subject, sequence, not_before, deferred_at)
  values ('task', ${kind}, ${subject}, -1, ${timeFromNow(afterMs)}, ${now})
  on conflict (task, subject) where subject is not null do`;

/** Makes a task due after `afterMs`, unless it is due earlier. A running task runs again when it ends. */
export async function requestTask(db: Db, kind: BackgroundKind, subject = '', afterMs = 0): Promise<void> {
  await sql`${insertTask({ kind, subject }, afterMs)} update
    set ${dueAt(sql`least(chunks.not_before, excluded.not_before)`)}`.execute(db);
  if (afterMs === 0) await wakeTaskRunners(db, [kind]);
}

/** Makes a task due now, unless it is running. */
export async function requestTaskIfIdle(db: Db, kind: BackgroundKind, subject: string): Promise<void> {
  await sql`${insertTask({ kind, subject }, 0)} update
    set ${dueAt(sql`excluded.not_before`)} where chunks.state <> 'published'`.execute(db);
  await wakeTaskRunners(db, [kind]);
}

/** Makes the tasks of some kinds due now, for all subjects. Running tasks run again when they end. */
export async function requestTasks(db: Db, kinds: readonly BackgroundKind[]): Promise<void> {
  await changeRows(db)`
    update chunks set ${dueAt(now)} where id in (
      select id from chunks where subject is not null and task = any(${kinds}::text[]) order by id for update)`;
  await wakeTaskRunners(db, kinds);
}

/** Takes a task from the process that runs it. The process notices within seconds and stores no more results. */
export async function revokeTask(db: Db, kind: BackgroundKind, subject = ''): Promise<void> {
  await endClaim(db, isOf({ kind, subject }), requestedFor);
}

/** Returns whether a task runs or is due, now or later. */
export const isTaskOpen = (db: Db, kind: BackgroundKind, subject = '') =>
  hasRows(db)`select from chunks where ${isOf({ kind, subject })} and state <> 'done'`;

/** `subjects`: null if the process serves all subjects. */
export type ServedTaskKind = { kind: BackgroundKind; subjects: readonly string[] | null };

const isServed = (served: readonly ServedTaskKind[]) => {
  const anySubject = served.flatMap(({ kind, subjects }) => (subjects === null ? [kind] : []));
  const pairs = served.flatMap(({ kind, subjects }) =>
    (subjects ?? []).map((subject) => `${kind} ${subject}`),
  );
  return sql<boolean>`(chunks.subject is not null
    and (task = any(${toLiteralArray(anySubject)}) or task || ' ' || subject = any(${toLiteralArray(pairs)})))`;
};

export type DueTask = TaskNames & Pick<ChunkRecord, 'id' | 'publication'>;

const dueTasks = (served: readonly ServedTaskKind[]) => sql`
  select id, publication, task as kind, subject from chunks
  where state = 'pending' and ${isServed(served)} and ${isChunkDue} order by not_before, id`;

export const listDueTasks = (db: Db, served: readonly ServedTaskKind[]) =>
  queryRows<DueTask>(db)`${prepared}${dueTasks(served)}`;

/** Locks due tasks, the longest due first. Skips tasks that another process is publishing. */
export const lockDueTasks = (db: Db, served: readonly ServedTaskKind[]) =>
  queryRows<DueTask>(db)`${dueTasks(served)} for update skip locked`;

/** Postpones periodic tasks that are due but have no work, each by the interval of its kind. */
export async function postponeTasks(db: Db, tasks: readonly DueTask[]): Promise<void> {
  const pauses = tasks.map(({ id, kind }) => ({ id, everyMs: backgroundTaskOf(kind).everyMs ?? 0 }));
  await changeRows(db)`
    update chunks set not_before = ${timeFromNow(sql`given.every_ms`)}, deferred_at = clock_timestamp()
    from ${unnestRows('given', pauses, { id: 'bigint', everyMs: 'int' })} where chunks.id = given.id`;
}

/** A published task that is held by no live process, or by the process that called listPossiblyLostTasks. */
export type PossiblyLostTask = ClaimedChunk & Pick<ChunkRecord, 'attempts'> & { isHeld: false };

/** Returns published tasks that no live process holds, or that `processId` holds. */
export const listPossiblyLostTasks = (db: Db, served: readonly ServedTaskKind[], processId: string) =>
  queryRows<PossiblyLostTask>(db)`${prepared}
    select id, publication, claims, attempts, false as "isHeld"
    from chunks where state = 'published' and ${isServed(served)}
      and (held_by is not distinct from ${processId} or not ${hasLiveHolder})`;

export function toBackgroundTask(chunk: ChunkRecord): ClaimedTask {
  const { task, subject } = chunk as { task: string | null; subject: string | null };
  if (task === null || subject === null) throw new Error('It is the chunk of an import');
  return { ...chunk, kind: task as BackgroundKind, subject };
}

type Ended = Partial<Pick<ChunkRecord, 'attempts' | 'waiting_for' | 'error'>>;

/** Ends a task's claim. Returns false if it was lost. `due`: time of the next run, or null if the task is done. */
async function endClaim(
  db: Db,
  which: RawBuilder<boolean>,
  due: RawBuilder<Date | null>,
  set: Ended = {},
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('chunks')
    .set({
      ...set,
      state: sql`case when ${due} is null then 'done' else 'pending' end`,
      not_before: due,
      ...{ deferred_at: now, publication: sql`publication + 1`, held_by: null, lost_by: [] },
      claims_with_progress: sql`claims - ${set.attempts ?? sql`attempts`}`,
    })
    .where(which)
    .where('state', '=', 'published')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** SQL value: time of the next run: after `ms`, or earlier if requested. Without `ms`, the requested time or null. */
const nextAfter = (ms: number | undefined) =>
  ms === undefined ? requestedFor : sql<Date | null>`least(not_before, ${timeFromNow(ms)})`;

export async function completeTask(db: Db, task: ClaimedTask): Promise<void> {
  const { everyMs } = backgroundTaskOf(task.kind);
  await endClaim(db, isHeldByClaim(task), nextAfter(everyMs), { attempts: 0, error: null });
}

/** Ends a claim without a failure. The task continues later, in any process. `waitFor`: why it waits, as a sentence. */
export async function releaseTask(
  db: Db,
  task: ClaimedTask,
  { waitMs, waitFor = null }: { waitMs: number; waitFor?: string | null },
): Promise<void> {
  await endClaim(db, isHeldByClaim(task), nextAfter(waitMs), { waiting_for: waitFor });
}

const retryMs = { first: 10_000, max: 600_000 };

/** Ends a failed attempt and schedules a retry. If `isLast` or no attempt is left, gives up and returns true. */
export async function failBackgroundTask(
  db: Db,
  task: ClaimedTask,
  error: string,
  isLast = false,
): Promise<boolean> {
  const { everyMs, attemptsMax = Number.POSITIVE_INFINITY } = backgroundTaskOf(task.kind);
  const attempts = task.attempts + 1;
  const failed = isLast || attempts >= attemptsMax;
  const pauseMs = Math.min(
    retryMs.max,
    retryMs.first * 2 ** Math.min(task.attempts, 10),
    everyMs ?? retryMs.max,
  );
  const due = nextAfter(failed ? everyMs : pauseMs);
  const ended = await endClaim(db, isHeldByClaim(task), due, { attempts: failed ? 0 : attempts, error });
  return ended && failed;
}

const shownMax = 200;

/** `overdue_ms` is negative if the task is due later, and null if no run is due. */
export type ListedTask = TaskNames &
  Pick<ChunkRecord, 'id' | 'attempts' | 'waiting_for' | 'error' | 'not_before'> & {
    is_held: boolean;
    overdue_ms: number | null;
  };

/** Returns the background tasks that run, wait or have failed. */
export const listBackgroundTasks = (db: Db) =>
  queryRows<ListedTask>(db)`
    select id, task as kind, subject, attempts, waiting_for, error, not_before, ${isHeld} as is_held,
      (extract(epoch from ${now} - not_before) * 1000)::float8 as overdue_ms
    from chunks where subject is not null and task = any(${backgroundKinds}::text[])
      and (state <> 'done' or error is not null)
    order by error is null, task, subject limit ${shownMax}`;

/** Returns why the last attempt of a task failed. */
export const readTaskError = (db: Db, kind: BackgroundKind) =>
  findValue<string>(db)`select error from chunks where ${isOf({ kind, subject: '' })}`;

/** Makes a failed task due now. Returns whether the task had failed. */
export const retryTask = (db: Db, id: number) =>
  hasRows(db)`
    update chunks set ${dueAt(now)}, attempts = 0, waiting_for = null
    where id = ${id} and subject is not null and error is not null returning id`;

/** Stops the retries of a failed task until it is due or requested again. Returns whether the task had failed. */
export async function giveUpFailedTask(
  db: Db,
  { id, kind }: Pick<ListedTask, 'id' | 'kind'>,
): Promise<boolean> {
  const { everyMs } = backgroundTaskOf(kind);
  const due = everyMs === undefined ? sql`null::timestamptz` : timeFromNow(everyMs);
  return hasRows(db)`
    update chunks set ${dueAt(due)}, attempts = 0, error = null
    where id = ${id} and error is not null and state <> 'published' returning id`;
}
