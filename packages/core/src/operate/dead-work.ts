import { canDo } from '@draftshelf/domain/imports/import-status';
import { canRetryTask, findLossIfGivenUp } from '@draftshelf/domain/operate/dead-work';
import type { Kysely } from 'kysely';
import { type Db, isBusyError } from '../connection/database.ts';
import type { ImportRecord, Schema } from '../connection/schema.ts';
import type { ActionRefusal } from '../imports/action-result.ts';
import { changeImport, lockImport } from '../imports/imports.ts';
import { undoCommand } from '../review/commands/begin-undo.ts';
import { lockRows } from '../review/rows-lock.ts';
import { countChunks } from '../work/chunks.ts';
import { type DeadTask, findFailedImports, findRetriableImports, listDeadTasks } from '../work/dead-work.ts';
import { cancelImport, retryImport } from '../work/import-actions.ts';
import { getRunColumn } from '../work/runs.ts';
import { dropTask, hasOpenTask, reopenTask } from '../work/tasks.ts';

/** `pushed`: whether a push was retried. `left`: why dead chunks are not retried yet, or null. */
export type DeadWorkRetry = { ok: true; pushed: boolean; left: string | null };

const nothingDead: ActionRefusal = { ok: false, reason: 'No failed work is left.' };
const stillRunning = 'Other parts of this import are still being processed. Retry when they have ended.';

/** Retries dead tasks, then the failed stage's dead chunks. Like all commands, locks rows before the import. */
export async function retryDeadWork(db: Db, importId: string): Promise<DeadWorkRetry | ActionRefusal> {
  const tasks = await lockDeadTasks(db, importId);
  const record = await lockImport(db, importId);
  if (!record) return nothingDead;
  const again = tasks.filter(({ task }) => canRetryTask(task));
  for (const task of again) await reopen(db, importId, task);
  if (again.length > 0) await changeImport(db, importId, {});
  const done = { ok: true as const, pushed: false };
  if (record.status !== 'failed' && !(await hasDeadChunks(db, record)))
    return again.length > 0 ? { ...done, left: null } : nothingDead;
  const retried = canDo('retry', record.status)
    ? await retryImport(db, importId)
    : { ok: false as const, reason: stillRunning };
  if (retried.ok) return { ...done, pushed: retried.import.stage === 'push', left: null };
  return again.length > 0 ? { ...done, left: retried.reason } : retried;
}

/** Cancels an import or its re-read. Cancelling an import drops its dead tasks and undoes stopped commands. */
export async function giveUpImport(
  db: Db,
  importId: string,
): Promise<{ ok: true; reread: boolean } | ActionRefusal> {
  const tasks = await lockDeadTasks(db, importId);
  const cancelled = await cancelImport(db, importId, { from: 'giveUp' });
  if (!cancelled.ok || cancelled.reread) return cancelled;
  for (const task of tasks) if (task.command === null) await dropTask(db, task, ['dead']);
  return { ok: true, reread: false };
}

/** Drops a dead task, or begins to undo its stopped command. If the undo is refused, the caller must roll back. */
export async function giveUpTask(
  db: Db,
  importId: string,
  taskId: number,
): Promise<{ ok: true } | ActionRefusal> {
  const tasks = await lockDeadTasks(db, importId);
  const task = tasks.find(({ id }) => id === taskId);
  if (!task) return nothingDead;
  if (findLossIfGivenUp(task.task) === null) return onlyRetried;
  if (task.command !== null) {
    const undone = await undoCommand(db, importId, task.command);
    return undone.ok
      ? { ok: true }
      : { ok: false, reason: 'The change can’t be undone now. Try again later.' };
  }
  await lockImport(db, importId);
  await dropTask(db, task, ['dead']);
  await changeImport(db, importId, {});
  return { ok: true };
}

const onlyRetried: ActionRefusal = {
  ok: false,
  reason: 'A half-finished undo leaves a mix of old and new values. Retry the undo instead.',
};

/** `done`: number of changed imports. `failed`: the error after which no further imports were tried. */
export type CauseActionResult = { done: number; pushed: string[]; refused: string[]; failed?: unknown };

type DoneToOne = { isDone: boolean; isPushed?: boolean; refused: string[] };

/** Retries all failures with a cause. Each import has its own transaction. */
export async function retryByCause(db: Kysely<Schema>, cause: string): Promise<CauseActionResult> {
  return toEach(await findRetriableImports(db, cause), async (importId) => {
    const retried = await db.transaction().execute((trx) => retryDeadWork(trx, importId));
    if (!retried.ok) return { isDone: false, refused: [retried.reason] };
    return { isDone: true, isPushed: retried.pushed, refused: retried.left === null ? [] : [retried.left] };
  });
}

/** Gives up all failures with a cause: imports with failed chunks, and the dead tasks of other imports. */
export async function giveUpByCause(db: Kysely<Schema>, cause: string): Promise<CauseActionResult> {
  const found = new Map((await findFailedImports(db, cause)).map((one) => [one.importId, one]));
  return toEach([...found.keys()], async (importId) => {
    const { tasks = [], hasParts = false } = found.get(importId) ?? {};
    const acts: Act[] = hasParts
      ? [(trx) => giveUpImport(trx, importId)]
      : tasks.map((task) => (trx) => giveUpTask(trx, importId, task));
    const result: DoneToOne = { isDone: false, refused: [] };
    for (const act of acts) {
      const given = await orRolledBack(db, act);
      if (given.ok) result.isDone = true;
      else result.refused.push(given.reason);
    }
    return result;
  });
}

type Act = (trx: Db) => Promise<{ ok: true } | ActionRefusal>;

async function orRolledBack(db: Kysely<Schema>, act: Act): ReturnType<Act> {
  let refused: ActionRefusal | undefined;
  const done = db.transaction().execute(async (trx) => {
    const result = await act(trx);
    if (result.ok) return result;
    refused = result;
    throw new Error(result.reason);
  });
  return done.catch((error: unknown) => {
    if (refused) return refused;
    throw error;
  });
}

const busy = 'Another operation is changing the import right now.';

async function toEach(
  importIds: readonly string[],
  act: (importId: string) => Promise<DoneToOne>,
): Promise<CauseActionResult> {
  const all: CauseActionResult = { done: 0, pushed: [], refused: [] };
  for (const importId of importIds) {
    try {
      const { isDone, isPushed, refused } = await act(importId);
      if (isDone) all.done += 1;
      if (isPushed) all.pushed.push(importId);
      all.refused.push(...refused);
    } catch (error) {
      if (!isBusyError(error)) return { ...all, failed: error };
      all.refused.push(busy);
    }
  }
  return all;
}

/** Locks and returns the dead tasks of an import. If a task belongs to a command, locks the rows first. */
async function lockDeadTasks(db: Db, importId: string): Promise<DeadTask[]> {
  const tasks = await listDeadTasks(db, importId);
  if (!tasks.some(({ command }) => command !== null)) return tasks;
  await lockRows(db, importId);
  return listDeadTasks(db, importId);
}

async function reopen(db: Db, importId: string, task: DeadTask): Promise<void> {
  const isRepeated = task.command === null && (await hasOpenTask(db, importId, task.task, task.run));
  if (isRepeated) await dropTask(db, task, ['dead']);
  else await reopenTask(db, task);
}

async function hasDeadChunks(db: Db, record: ImportRecord): Promise<boolean> {
  if (!canDo('giveUp', record.status)) return false;
  const { id, stage } = record;
  const { dead, finalizeDead } = await countChunks(db, {
    import_id: id,
    stage,
    run: record[getRunColumn(stage)],
  });
  return dead > 0 || finalizeDead;
}
