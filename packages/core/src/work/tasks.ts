import { importActions } from '@draftshelf/domain/imports/import-status';
import type { Stage } from '@draftshelf/domain/imports/stages';
import {
  serviceTaskKinds,
  type TaskKind,
  taskCatalog,
  tasksDroppedByNewRun,
  tasksWaitedFor,
} from '@draftshelf/domain/work/task-catalog';
import { type Kysely, sql } from 'kysely';
import { timeFromNow } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { findRow, hasRows, queryRows } from '../connection/query-rows.ts';
import type { ChunkRecord, ChunkState, Schema } from '../connection/schema.ts';
import { type PublishableChunk, pendingAssignments } from './chunks.ts';
import { isChunkDue, isHeldByClaim } from './claim-chunk.ts';
import { wakeRelay } from './notify-chunks.ts';
import { isAlive } from './processes.ts';
import type { RunOfRows } from './runs.ts';

/** Does the next part of a task, in its own transactions. Returns the task's progress. */
export type TaskPartHandler = (
  db: Kysely<Schema>,
  chunk: ChunkRecord,
  signal: AbortSignal,
) => Promise<TaskProgress>;
export type TaskProgress = 'more' | 'done' | { waitFor: string; waitMs?: number };

/** A task that calls an external service. `take` and `store` use a transaction each; none is open during the call. */
export type CallingTask<Call = unknown, Answer = unknown> = {
  /** Returns the next call to make, or the task's progress if there is no call. */
  take(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress | { call: Call }>;
  /**
   * Makes the call. `signal` aborts when the process stops, the claim is lost or isOn returns false. The call then
   * soon returns the answers that it has, or throws.
   */
  call(call: Call, signal: AbortSignal): Promise<Answer>;
  /**
   * Stores the answers, even those of an aborted call. After a lock time-out or a lost connection, `store` is called
   * again with the same answer, so it must be safe to repeat.
   */
  store(db: Kysely<Schema>, chunk: ChunkRecord, answer: Answer): Promise<TaskProgress>;
  /** Returns whether the settings still allow the call. Absent if no setting can forbid it. */
  isOn?(db: Db, chunk: ChunkRecord, call: Call): Promise<boolean>;
};

/** Concurrent calls per kind and process. Each kind has its own limit, so a slow service delays no other kind. */
const placesPerKind = 4;
export const callsPerProcessMax = placesPerKind * serviceTaskKinds.length;

const isCalling = sql<boolean>`chunks.task = any(${serviceTaskKinds}::text[])`;

/** SQL value: 1 if other imports wait for the task, else 2, so that the first chunks, with priority 1, precede it. */
const taskPriority = sql<number>`case when chunks.task = any(${tasksWaitedFor}::text[]) then 1 else 2 end`;

/** A task's first wait: its cause as a sentence, and its duration. */
type Wait = { cause: string; ms: number };

/**
 * Inserts a task for a run's rows. `total`: the number of rows to process, or of edits to undo, if known. If the task
 * applies or undoes a command, lock the rows before this call, and the import after it, as the task does.
 */
export async function enqueueTask(
  db: Db,
  { import_id, run }: RunOfRows,
  task: TaskKind,
  total: number | null = null,
  { done = 0, command = null, wait }: Partial<Pick<ChunkRecord, 'done' | 'command'>> & { wait?: Wait } = {},
): Promise<void> {
  const { stage } = taskCatalog[task];
  await sql`
    insert into chunks (import_id, stage, run, kind, task, total, done, command, sequence, waiting_for, deferred_at,
      not_before)
    values (${import_id}, ${stage}, ${run}, 'task', ${task}, ${total}, ${done}, ${command}, -1, ${wait?.cause ?? null},
      ${wait ? sql`clock_timestamp()` : null}, ${wait ? timeFromNow(wait.ms) : null})`.execute(db);
  await wakeRelay(db, stage);
}

/**
 * Inserts a task for the current rows of every import in review, or only of the imports of these suppliers. Replaces a
 * task that has begun, unless its worker waits for this transaction. If an open task has not begun, keeps it instead.
 */
export async function enqueueForAllInReview(
  db: Db,
  task: TaskKind,
  suppliers: readonly number[] | null = null,
): Promise<void> {
  const { stage } = taskCatalog[task];
  const isOfThem = suppliers === null ? sql`true` : sql`imports.supplier = any(${suppliers}::int[])`;
  const isMeant = sql`imports.status = any(${importActions.review}::text[]) and ${isOfThem}`;
  await sql`
    update chunks set state = 'dropped', ended_at = now() where id in (
      select chunks.id from chunks join imports on imports.id = chunks.import_id
      where chunks.stage = ${stage} and (chunks.state = 'pending' or chunks.state = 'published')
        and chunks.kind = 'task' and chunks.task = ${task} and chunks.done > 0
        and ${isMeant}
      for update of chunks skip locked)`.execute(db);
  await sql`
    insert into chunks (import_id, stage, run, kind, task, total, done, sequence)
    select id, ${stage}, rows_run, 'task', ${task}, total_rows, 0, -1 from import_records as imports
    where ${isMeant} and not exists (
      select 1 from chunks
      where import_id = imports.id and kind = 'task' and task = ${task} and state in ('pending', 'published')
        and done = 0)`.execute(db);
  await wakeRelay(db, stage);
}

/** Returns whether an import has an open task of some kinds. `run`: only tasks for this run's rows, or null for all. */
export const hasOpenTask = (
  db: Db,
  importId: string,
  tasks: TaskKind | readonly TaskKind[],
  run: number | null = null,
): Promise<boolean> =>
  hasRows(db)`
    select from chunks where import_id = ${importId} and kind = 'task' and task = any(${[tasks].flat()}::text[])
      and state in ('pending', 'published') and (${run}::int is null or run = ${run}) limit 1`;

/** Returns whether the latest task of a kind for a run's rows is dead. */
export async function hasTaskFailed(db: Db, { import_id, run }: RunOfRows, task: TaskKind): Promise<boolean> {
  const latest = await findRow<Pick<ChunkRecord, 'state'>>(db)`
    select state from chunks where import_id = ${import_id} and run = ${run} and kind = 'task' and task = ${task}
    order by id desc limit 1`;
  return latest?.state === 'dead';
}

/** Makes waiting tasks of some kinds due, because their wait may be over. */
export async function wakeTasks(db: Db, tasks: readonly TaskKind[]): Promise<void> {
  await sql`
    update chunks set not_before = null, waiting_for = null, waits = 0
    where kind = 'task' and task = any(${tasks}::text[]) and state = 'pending' and not_before is not null`.execute(
    db,
  );
  for (const stage of new Set(tasks.map((task) => taskCatalog[task].stage))) await wakeRelay(db, stage);
}

/**
 * Locks the tasks of a stage that are due for publication, in the relay's transaction, whatever the status of their
 * imports. At most one task per two live slots is published at a time, and of each kind that calls a service, at most
 * `placesPerKind` per live process. Tasks are released after a few seconds. The task with the fewest publications goes
 * first, so that small tasks need not wait for large ones.
 */
export async function lockPublishableTasks(db: Db, stage: Stage): Promise<PublishableChunk[]> {
  return queryRows<PublishableChunk>(db)`${prepared}
    with live as (
      select coalesce(sum(slots), 0)::int as slots, count(*)::int as processes from processes
      where kind = ${`${stage}-worker`} and ${isAlive}
    ), open as (
      select id, ${isCalling} as is_calling, row_number() over (
        partition by case when ${isCalling} then task end order by state = 'pending', publication, id) as nth
      from chunks where stage = ${stage} and kind = 'task'
        and (state = 'published' or state = 'pending' and ${isChunkDue})
    )
    select chunks.id, publication, ${taskPriority} as priority, import_id, chunks.stage, run, kind, task, done, total,
      first_row, chunks.rows, first_product, products, imports.filename
    from open join chunks on chunks.id = open.id join imports on imports.id = import_id cross join live
    where chunks.state = 'pending'
      and nth <= greatest(1, case when is_calling then ${placesPerKind} * live.processes else live.slots / 2 end)
    order by publication, chunks.id
    for update of chunks skip locked`;
}

const openStates = ['pending', 'published'] as const;
/** The states of tasks that are open or dead. The results of these tasks are missing. */
export const openOrDeadStates = [...openStates, 'dead'] as const;

/**
 * Ends tasks of some kinds without a result. Waits for a batch in progress, whose task then loses its claim. The
 * caller has locked the import, because imports are locked before their tasks.
 */
export async function dropTasks(
  db: Db,
  importId: string,
  tasks: readonly TaskKind[],
  states: readonly ChunkState[] = openStates,
): Promise<void> {
  await sql`
    update chunks set state = 'dropped', ended_at = now() where import_id = ${importId} and kind = 'task'
      and task = any(${tasks}::text[]) and state = any(${states}::text[])`.execute(db);
}

/** Ends the tasks whose results are useless once other rows are current. */
export const dropReplacedTasks = (db: Db, importId: string): Promise<void> =>
  dropTasks(db, importId, tasksDroppedByNewRun);

/** Ends a task without a result if it is in one of the states. The caller has locked the import or its rows. */
export async function dropTask(
  db: Db,
  { id }: Pick<ChunkRecord, 'id'>,
  states: readonly ChunkState[] = openOrDeadStates,
): Promise<void> {
  await sql`
    update chunks set state = 'dropped', ended_at = now()
    where id = ${id} and kind = 'task' and state = any(${states}::text[])`.execute(db);
}

/** Stores how many rows a task has processed. Call it after lockHeldChunk. Progress resets attempts and lost claims. */
export async function storeTaskProgress(db: Db, chunk: ChunkRecord, done: number): Promise<void> {
  await sql`
    update chunks set done = ${done}, attempts = 0, claims_with_progress = claims, lost_by = '{}'
    where ${isHeldByClaim(chunk)}`.execute(db);
}

/** Stores the total number of rows that a task has to process. Call it after lockHeldChunk. */
export async function setTaskTotal(db: Db, chunk: ChunkRecord, total: number): Promise<void> {
  await sql`update chunks set total = ${total} where ${isHeldByClaim(chunk)}`.execute(db);
}

export type TaskRecord = Pick<
  ChunkRecord,
  'id' | 'task' | 'command' | 'state' | 'done' | 'total' | 'waiting_for' | 'error'
>;

/** Returns the open and dead tasks of an import, oldest first. */
export const listTasks = (db: Db, importId: string) =>
  queryRows<TaskRecord>(db)`
    select id, task, command, state, done, total, waiting_for, error from chunks
    where import_id = ${importId} and kind = 'task' and state = any(${openOrDeadStates}::text[]) order by id`;

/** A task that is open or dead, with the command that it applies or undoes. */
export type UnendedTask = Pick<ChunkRecord, 'id' | 'state' | 'done' | 'total' | 'stage' | 'command'>;

/** Returns the first open or dead task of some kinds of an import. */
export const findUnendedTask = (db: Db, importId: string, tasks: readonly TaskKind[]) =>
  findRow<UnendedTask>(db)`
    select id, state, done, total, stage, command from chunks
    where import_id = ${importId} and kind = 'task' and task = any(${tasks}::text[])
      and state = any(${openOrDeadStates}::text[]) order by id limit 1`;

/** Continues a dead task at its stored progress. The caller has locked the import's rows. */
export async function reopenTask(db: Db, { id, stage }: Pick<UnendedTask, 'id' | 'stage'>): Promise<void> {
  await sql`update chunks set ${pendingAssignments} where id = ${id} and state = 'dead'`.execute(db);
  await wakeRelay(db, stage);
}
