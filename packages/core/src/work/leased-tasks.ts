import { type LeasedKind, leasedKinds, leasedTask } from '@draftshelf/domain/work/leased-tasks';
import { sql } from 'kysely';
import { fromNow, hasWaited } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import type { LeasedTaskRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { countOutlived } from './deaths.ts';

/** A claimed task. `claims`, the number of the claim, fences a process that lost its lease. */
export type HeldTask = Pick<
  LeasedTaskRecord,
  'id' | 'kind' | 'subject' | 'claims' | 'attempts' | 'held_by' | 'lost'
>;

/** Rolls a transaction back because another process has the task. */
export class TaskLost extends Error {
  constructor({ kind, subject, claims }: HeldTask) {
    super(`Claim ${claims} of task ${kind} ${subject} is no longer current`);
    this.name = 'TaskLost';
  }
}

const now = sql<Date>`clock_timestamp()`;
const leaseEnd = (leaseMsMax: number) => {
  const leases = leasedKinds.map((kind) => [kind, Math.min(leasedTask(kind).leaseMs, leaseMsMax)]);
  return fromNow(sql`(${storableJson(Object.fromEntries(leases))}::json ->> tasks.kind)::int`);
};

/**
 * SQL value: when a task was changed by a request. A held task keeps the time of its lease: comparing with it shows
 * that the clock was set back, and that the lease ends earlier than it says.
 */
export const requestedAt = (task: 'task' | 'tasks') => sql<Date>`
  case when ${sql.ref(`${task}.held_until`)} is null then clock_timestamp() else ${sql.ref(`${task}.changed_at`)} end`;

const isOver = (column: 'due_at' | 'held_until') => hasWaited(sql.ref(column), sql.ref('changed_at'));

export const isHeld = sql<boolean>`(held_until is not null and not ${isOver('held_until')})`;

/**
 * Makes the periodic tasks of a starting process due, and adds new ones: its environment may have changed since their
 * last run.
 */
export async function makePeriodicDue(db: Db, served: readonly ServedKind[]): Promise<void> {
  const periodic = served.filter(({ kind }) => leasedTask(kind).everyMs !== undefined);
  for (const { kind, subjects } of periodic)
    for (const subject of subjects ?? ['']) await requestTask(db, kind, subject);
}

/** Makes a task due after `afterMs`, or earlier if it already is. A running one begins again at its end. */
export async function requestTask(db: Db, kind: LeasedKind, subject = '', afterMs = 0): Promise<void> {
  await sql`
    insert into tasks as task (kind, subject, due_at) values (${kind}, ${subject}, ${fromNow(afterMs)})
    on conflict (kind, subject) do update set due_at = least(task.due_at, excluded.due_at),
      changed_at = ${requestedAt('task')}`.execute(db);
}

/** Makes a task due now, unless it is running. */
export async function joinTask(db: Db, kind: LeasedKind, subject: string): Promise<void> {
  await sql`
    insert into tasks (kind, subject, due_at) values (${kind}, ${subject}, ${now})
    on conflict (kind, subject) do update set due_at = excluded.due_at, changed_at = ${now}
    where tasks.held_until is null`.execute(db);
}

/** Ends the lease of a task. Its process notices within seconds and stores nothing more. */
export async function revokeTask(db: Db, kind: LeasedKind, subject = ''): Promise<void> {
  await db
    .updateTable('tasks')
    .set({ claims: sql`claims + 1`, held_until: null, changed_at: now })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .execute();
}

/** Returns whether a task runs, is due or will be. */
export async function isTaskOpen(db: Db, kind: LeasedKind, subject = ''): Promise<boolean> {
  const open = await db
    .selectFrom('tasks')
    .select('id')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where((eb) => eb.or([eb('due_at', 'is not', null), eb('held_until', 'is not', null)]))
    .executeTakeFirst();
  return open !== undefined;
}

/** `subjects`: null for all. */
export type ServedKind = { kind: LeasedKind; subjects: readonly string[] | null };

/** Claims the task that has been due for longest, or whose lease has ended. `holder`: the reported process. */
export async function claimTask(
  db: Db,
  served: readonly ServedKind[],
  leaseMsMax: number,
  holder: string | null = null,
): Promise<HeldTask | undefined> {
  const anySubject = served.flatMap(({ kind, subjects }) => (subjects === null ? [kind] : []));
  const pairs = served.flatMap(({ kind, subjects }) =>
    (subjects ?? []).map((subject) => `${kind} ${subject}`),
  );
  const { rows } = await sql<HeldTask>`
    update tasks set claims = claims + 1, due_at = null, waiting_for = null, held_until = ${leaseEnd(leaseMsMax)},
      changed_at = clock_timestamp(), held_by = ${holder}, ${countOutlived}
    where id = (
      select id from tasks
      where (kind = any(${anySubject}::text[]) or kind || ' ' || subject = any(${pairs}::text[]))
        and case when held_until is null then due_at is not null and ${isOver('due_at')} else ${isOver('held_until')} end
      order by coalesce(due_at, held_until), id limit 1
      for update of tasks skip locked)
    returning id, kind, subject, claims, attempts, held_by, lost`.execute(db);
  return rows[0];
}

/**
 * Renews leases, and returns the lost ones. A locked task is just being stored by its process; one that has ended
 * stays free.
 */
export async function renewTasks(db: Db, held: readonly HeldTask[], leaseMsMax: number): Promise<HeldTask[]> {
  const ids = held.map(({ id }) => id);
  const current = await db.selectFrom('tasks').select(['id', 'claims']).where('id', 'in', ids).execute();
  const isCurrent = ({ id, claims }: HeldTask) =>
    current.some((row) => row.id === id && row.claims === claims);
  const kept = held.filter(isCurrent);
  await sql`
    update tasks set held_until = ${leaseEnd(leaseMsMax)}, changed_at = clock_timestamp()
    where id in (
      select id from tasks
      where held_until is not null and (id, claims) in (select * from unnest(
        ${kept.map(({ id }) => id)}::bigint[], ${kept.map(({ claims }) => claims)}::int[]))
      for update skip locked)`.execute(db);
  return held.filter((task) => !isCurrent(task));
}

/** Locks a claimed task until this transaction ends. Throws TaskLost. */
export async function lockTask(db: Db, task: HeldTask): Promise<void> {
  const row = await db
    .selectFrom('tasks')
    .select('id')
    .where('id', '=', task.id)
    .where('claims', '=', task.claims)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new TaskLost(task);
}

type Ended = Partial<Pick<LeasedTaskRecord, 'attempts' | 'waiting_for' | 'error'>>;

/** Ends a claim. `dueInMs`: null if the task runs only on request, which may have come meanwhile. */
async function endClaim(db: Db, task: HeldTask, dueInMs: number | null, set: Ended): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tasks')
    .set({
      ...set,
      ...(dueInMs === null ? {} : { due_at: sql<Date>`least(due_at, ${fromNow(dueInMs)})` }),
      ...{ held_until: null, held_by: null, lost: 0, changed_at: now },
    })
    .where('id', '=', task.id)
    .where('claims', '=', task.claims)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function completeTask(db: Db, task: HeldTask): Promise<void> {
  const { everyMs = null } = leasedTask(task.kind);
  await endClaim(db, task, everyMs, { attempts: 0, error: null });
}

/** Ends a claim without a failure; the task goes on later, in any process. `waitFor`: a sentence. */
export async function releaseTask(
  db: Db,
  task: HeldTask,
  { waitMs, waitFor = null }: { waitMs: number; waitFor?: string | null },
): Promise<void> {
  await endClaim(db, task, waitMs, { waiting_for: waitFor });
}

const retryMs = { first: 10_000, max: 600_000 };

/**
 * Ends a failed attempt. The pause before the next one doubles. Returns whether the task has failed for good.
 * `isLast`: there is no further attempt.
 */
export async function failTask(db: Db, task: HeldTask, error: string, isLast = false): Promise<boolean> {
  const { everyMs = null, attemptsMax = Number.POSITIVE_INFINITY } = leasedTask(task.kind);
  const attempts = task.attempts + 1;
  const failed = isLast || attempts >= attemptsMax;
  const pauseMs = Math.min(
    retryMs.max,
    retryMs.first * 2 ** Math.min(task.attempts, 10),
    everyMs ?? retryMs.max,
  );
  const dueInMs = failed ? everyMs : pauseMs;
  const ended = await endClaim(db, task, dueInMs, { attempts: failed ? 0 : attempts, error });
  return ended && failed;
}

const shownMax = 200;

/** `overdue_ms`: below 0 if it is due later; null if it is not to run. */
export type ListedTask = LeasedTaskRecord & { is_held: boolean; overdue_ms: number | null };

/** Returns the leased tasks that run, wait or have failed. */
export async function listLeasedTasks(db: Db): Promise<ListedTask[]> {
  return db
    .selectFrom('tasks')
    .selectAll()
    .select(isHeld.as('is_held'))
    .select(sql<number | null>`(extract(epoch from ${now} - due_at) * 1000)::float8`.as('overdue_ms'))
    .where('kind', 'in', leasedKinds)
    .where((eb) =>
      eb.or([eb('due_at', 'is not', null), eb('held_until', 'is not', null), eb('error', 'is not', null)]),
    )
    .orderBy(sql`error is null`)
    .orderBy('kind')
    .orderBy('subject')
    .limit(shownMax)
    .execute();
}

/** Returns why the last attempt of a task failed. */
export async function readTaskError(db: Db, kind: LeasedKind): Promise<string | null> {
  const task = await db.selectFrom('tasks').select('error').where('kind', '=', kind).executeTakeFirst();
  return task?.error ?? null;
}

/** Makes a failed task due now. Returns whether there was one. */
export async function retryTask(db: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tasks')
    .set({ due_at: now, attempts: 0, waiting_for: null, changed_at: requestedAt('tasks') })
    .where('id', '=', id)
    .where('error', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the attempts of a failed task until its next time or request. */
export async function giveTaskUp(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('tasks')
    .select(['kind', 'subject'])
    .where('id', '=', id)
    .where('error', 'is not', null)
    .where('held_until', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return false;
  const { everyMs } = leasedTask(row.kind);
  await db
    .updateTable('tasks')
    .set({
      due_at: everyMs === undefined ? null : fromNow(everyMs),
      ...{ attempts: 0, error: null, changed_at: now },
    })
    .where('id', '=', id)
    .execute();
  return true;
}
