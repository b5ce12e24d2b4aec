import { importActions } from '@draftshelf/domain/imports/import-status';
import type { Stage } from '@draftshelf/domain/imports/stages';
import {
  callingKinds,
  type TaskKind,
  taskCatalog,
  tasksDroppedByNewRun,
} from '@draftshelf/domain/work/task-catalog';
import { type Kysely, sql } from 'kysely';
import { fromNow } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, Schema } from '../connection/schema.ts';
import { isKnownTask, type PublishableChunk } from './chunks.ts';
import { heldBy, isDue } from './claim-chunk.ts';
import { notifyChunks } from './notify-chunks.ts';
import { isLive } from './processes.ts';
import type { RunOfRows } from './runs.ts';

/**
 * Does the next part of a task, in transactions of its own. Returns whether more is left, the task is done, or what
 * its next part waits for, as a sentence.
 */
export type TaskStep = (db: Kysely<Schema>, chunk: ChunkRecord, signal: AbortSignal) => Promise<TaskProgress>;
export type TaskProgress = 'more' | 'done' | { waitFor: string; waitMs?: number };

/**
 * A task that calls a service outside. Taking and storing are short transactions; a call holds no connection, however
 * long it takes.
 */
export type CallingTask<Call = unknown, Answer = unknown> = {
  /** Takes the next call, or returns the task's progress. */
  take(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress | { call: Call }>;
  /**
   * Makes the call. `signal` aborts when the process stops, the claim is lost or isOn is false; the call then ends
   * soon with the answers that it has, or throws.
   */
  call(call: Call, signal: AbortSignal): Promise<Answer>;
  /**
   * Stores the answers, also of an aborted call. It is repeated with the same answer after a lock or a lost
   * connection, so it must be safe to repeat.
   */
  store(db: Kysely<Schema>, chunk: ChunkRecord, answer: Answer): Promise<TaskProgress>;
  /** Returns whether the switches still allow the call. Absent: there are none. */
  isOn?(db: Db, chunk: ChunkRecord, call: Call): Promise<boolean>;
};

/** Calls of a kind per process: a slow service holds only the places of its own kind. */
const placesPerKind = 4;
export const callsPerProcess = placesPerKind * callingKinds.length;

const isCalling = sql<boolean>`chunks.task = any(${callingKinds}::text[])`;

/** Second work chunks of imports have this priority, too, so no import waits for a task with its first chunk. */
const taskPriority = 2;

/** Inserts a task of a run's rows. `total`: how many rows it processes, if known. */
export async function enqueueTask(
  db: Db,
  { import_id, run }: RunOfRows,
  task: TaskKind,
  total: number | null = null,
  done = 0,
): Promise<void> {
  const { stage } = taskCatalog[task];
  await db
    .insertInto('chunks')
    .values({ import_id, stage, run, kind: 'task', task, total, done, sequence: -1 })
    .execute();
  await notifyChunks(db, stage);
}

/**
 * Inserts a task for the current rows of every import in review, or of these suppliers' lists. It replaces one that
 * is under way; one that has not begun stays. A task whose part waits for this transaction is left alone.
 */
export async function enqueueTaskInReview(
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
  await notifyChunks(db, stage);
}

/** Returns whether an import has an open task of a kind. `run`: for the rows of that run. */
export function hasOpenTask(db: Db, importId: string, task: TaskKind, run?: number): Promise<boolean> {
  return hasAnyOpenTask(db, importId, [task], run);
}

export async function hasAnyOpenTask(
  db: Db,
  importId: string,
  tasks: readonly TaskKind[],
  run?: number,
): Promise<boolean> {
  const open = await db
    .selectFrom('chunks')
    .select('id')
    .where('import_id', '=', importId)
    .where('kind', '=', 'task')
    .where('task', 'in', tasks)
    .where('state', 'in', ['pending', 'published'])
    .$if(run !== undefined, (query) => query.where('run', '=', run ?? 0))
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

/** Returns whether the latest task of a kind for a run's rows is dead. */
export async function hasTaskFailed(db: Db, { import_id, run }: RunOfRows, task: TaskKind): Promise<boolean> {
  const latest = await db
    .selectFrom('chunks')
    .select('state')
    .where('import_id', '=', import_id)
    .where('run', '=', run)
    .where('kind', '=', 'task')
    .where('task', '=', task)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return latest?.state === 'dead';
}

/** Delays the open tasks of a kind of an import. */
export async function deferTask(
  db: Db,
  importId: string,
  task: TaskKind,
  wait: { cause: string; ms: number },
): Promise<void> {
  await db
    .updateTable('chunks')
    .set({
      waiting_for: wait.cause,
      deferred_at: sql`clock_timestamp()`,
      not_before: fromNow(wait.ms),
    })
    .where('import_id', '=', importId)
    .where('kind', '=', 'task')
    .where('task', '=', task)
    .where('state', '=', 'pending')
    .execute();
}

/** Makes waiting tasks of some kinds due, because what they wait for may have come. */
export async function wakeTasks(db: Db, tasks: readonly TaskKind[]): Promise<void> {
  await db
    .updateTable('chunks')
    .set({ not_before: null, waiting_for: null, waits: 0 })
    .where('kind', '=', 'task')
    .where('task', 'in', tasks)
    .where('state', '=', 'pending')
    .where('not_before', 'is not', null)
    .execute();
  for (const stage of new Set(tasks.map((task) => taskCatalog[task].stage))) await notifyChunks(db, stage);
}

/**
 * Locks the tasks of a stage that are due for publication, whatever the status of their imports, in the relay's
 * transaction. At most one task per two live slots is published, and as many of a kind that calls a service as the live
 * processes have places. Each is released after a few seconds, and the one with the fewest publications goes first, so
 * small tasks do not wait for large ones.
 */
export async function lockPublishableTasks(db: Db, stage: Stage): Promise<PublishableChunk[]> {
  const { rows } = await sql<PublishableChunk>`
    with live as (
      select coalesce(sum(slots), 0)::int as slots, count(*)::int as processes from processes
      where kind = ${`${stage}-worker`} and ${isLive}
    ), open as (
      select id, ${isCalling} as is_calling, row_number() over (
        partition by case when ${isCalling} then task end order by state = 'pending', publication, id) as nth
      from chunks where stage = ${stage} and kind = 'task' and ${isKnownTask}
        and (state = 'published' or state = 'pending' and ${isDue})
    )
    select chunks.id, publication, ${taskPriority}::int as priority, import_id, chunks.stage, run, kind, task, done, total,
      first_row, chunks.rows, first_product, products, imports.filename
    from open join chunks on chunks.id = open.id join imports on imports.id = import_id cross join live
    where chunks.state = 'pending'
      and nth <= greatest(1, case when is_calling then ${placesPerKind} * live.processes else live.slots / 2 end)
    order by publication, chunks.id
    for update of chunks skip locked`.execute(db);
  return rows;
}

/**
 * Ends the tasks whose results are of no use once other rows are current. Waits for the batch in progress, whose
 * claim then no longer holds. The caller has locked the import: imports are locked before their tasks.
 */
export async function dropReplacedTasks(db: Db, importId: string): Promise<void> {
  await dropTasks(db, importId, tasksDroppedByNewRun);
}

export const droppedTasks = (db: Db) =>
  db.updateTable('chunks').set({ state: 'dropped', ended_at: sql`now()` }).where('kind', '=', 'task');

/** Ends all tasks of an import that is being deleted. The caller has locked the import and its rows. */
export async function dropAllTasks(db: Db, importId: string): Promise<void> {
  await droppedTasks(db)
    .where('import_id', '=', importId)
    .where('state', 'in', ['pending', 'published', 'dead'])
    .execute();
}

/** Ends the dead tasks of a kind, because a new one begins or none is needed. */
export async function dropDeadTasks(db: Db, importId: string, task: TaskKind): Promise<void> {
  await droppedTasks(db)
    .where('import_id', '=', importId)
    .where('task', '=', task)
    .where('state', '=', 'dead')
    .execute();
}

/** Ends the open tasks of some kinds. The caller has locked the import. */
export async function dropTasks(db: Db, importId: string, tasks: readonly TaskKind[]): Promise<void> {
  await droppedTasks(db)
    .where('import_id', '=', importId)
    .where('task', 'in', tasks)
    .where('state', 'in', ['pending', 'published'])
    .execute();
}

/** Stores how many rows a task has processed. Call it after lockHeld. Progress resets its attempts and lost claims. */
export async function storeTaskProgress(db: Db, chunk: ChunkRecord, done: number): Promise<void> {
  await db
    .updateTable('chunks')
    .set({ done, attempts: 0, claims_with_progress: sql`claims`, lost_by: [] })
    .where(heldBy(chunk))
    .execute();
}

export type TaskRecord = Pick<
  ChunkRecord,
  'id' | 'task' | 'command' | 'state' | 'done' | 'total' | 'waiting_for' | 'error'
>;

/** Returns the open and dead tasks of an import, oldest first. */
export async function listTasks(db: Db, importId: string): Promise<TaskRecord[]> {
  return db
    .selectFrom('chunks')
    .select(['id', 'task', 'command', 'state', 'done', 'total', 'waiting_for', 'error'])
    .where('import_id', '=', importId)
    .where('kind', '=', 'task')
    .where('state', 'in', ['pending', 'published', 'dead'])
    .orderBy('id')
    .execute();
}
