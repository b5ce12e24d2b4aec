import { canDo, importActions } from '@draftshelf/domain/imports/import-status';
import type { Outcome } from '@draftshelf/domain/imports/outcome';
import { runningStatusOf } from '@draftshelf/domain/imports/stages';
import { heldSentences } from '@draftshelf/domain/push/auto-push';
import { notRepeatedSentence, overtakenSentence } from '@draftshelf/domain/push/list-facts';
import { describeQuestions } from '@draftshelf/domain/reading/column-questions';
import { listBlockingTasks } from '@draftshelf/domain/work/task-catalog';
import { sql } from 'kysely';
import { readSettings } from '../access/settings.ts';
import { timeFromNow } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { endAsking } from '../enrich/ai/ai-imports.ts';
import {
  type ActionRefusal,
  type ActionResult,
  type ActionSuccess,
  refuseInStatus,
  wrongStatusRefusal,
} from '../imports/action-result.ts';
import {
  createHoldColumns,
  failureReset,
  type ImportChanges,
  lockImport,
  lockImportsToResume,
  moveLockedImport,
  moveStatus,
} from '../imports/imports.ts';
import { hasPreviewRun, stopUndo } from '../push/changes/carry-out.ts';
import { needsLateListAnswer, needsRecipeAnswer, readListOfImport } from '../push/list-facts.ts';
import { stopPreview } from '../push/previews/previews.ts';
import { beginPushRun, insertPushChunks, insertRetryChunks, type NewPushRun } from '../push/push-run.ts';
import { lockRows, tryLockRows } from '../review/rows-lock.ts';
import { storeRecipesAnswer } from '../suppliers/recipes/answer-recipes.ts';
import { hasSeveralSuppliers } from '../suppliers/suppliers.ts';
import { findBlockingReason } from './blocking.ts';
import { countChunks, enqueueFinalize, incrementRetries, reopenDeadChunks } from './chunks.ts';
import { lockHeldChunk, type StartedChunk } from './claim-chunk.ts';
import { wakeRelay } from './notify-chunks.ts';
import { rollBackReread } from './reread-rollback.ts';
import { currentRows, getRunColumn, type RunOfStage, readParseRun } from './runs.ts';
import { findUnendedTask, reopenTask, type UnendedTask } from './tasks.ts';

/** Pauses an import. Its chunks are no longer published, and its workers stop before the next product. */
export async function pauseImport(db: Db, id: string): Promise<ActionResult> {
  for (const from of importActions.pause) {
    const moved = await moveStatus(db, id, {
      from: [from],
      to: 'paused',
      event: 'paused',
      set: { paused_from: from, paused_by: 'operator', ...createHoldColumns(heldSentences.paused) },
    });
    if (moved) return { ok: true, import: moved };
  }
  return wrongStatusRefusal;
}

/**
 * Pauses an import because the store refuses all calls for `waitMs`. The sweep resumes the import after this time.
 * Does nothing if the import was started again since `chunk` was claimed. Throws ChunkFenced.
 */
export async function pauseForStore(
  db: Db,
  chunk: StartedChunk,
  { cause, waitMs, set = {} }: { cause: string; waitMs: number; set?: ImportChanges },
): Promise<void> {
  await lockHeldChunk(db, chunk);
  const resumeAt = timeFromNow(waitMs);
  await moveStatus(db, chunk.import_id, {
    from: ['uploading'],
    to: 'paused',
    event: 'paused',
    start: chunk.start,
    set: {
      paused_from: 'uploading',
      paused_by: 'store',
      paused_at: sql`clock_timestamp()`,
      resume_at: resumeAt,
      waiting_for: cause,
      waiting_until: resumeAt,
      ...set,
    },
  });
}

export async function resumeImport(db: Db, id: string): Promise<ActionResult> {
  const record = await lockImport(db, id);
  const moved = record && (await resume(db, record));
  return moved ? { ok: true, import: moved } : wrongStatusRefusal;
}

/** Resumes imports that were paused because the store refused all calls, and whose pause is over. */
export async function resumeDueImports(db: Db): Promise<void> {
  for (const paused of await lockImportsToResume(db)) await resume(db, paused);
}

async function resume(
  db: Db,
  { id, paused_from }: Pick<ImportRecord, 'id' | 'paused_from'>,
): Promise<ImportRecord | undefined> {
  if (!paused_from) return undefined;
  const moved = await moveStatus(db, id, {
    from: importActions.resume,
    to: paused_from,
    event: 'resumed',
  });
  if (moved) await wakeRelay(db, moved.stage);
  return moved;
}

/**
 * Cancels the re-read of an import and restores its earlier rows. Without a re-read, cancels the undo of its push, and
 * without an undo, the import. Products in the store stay there and stay recorded. A task undoes a command that is
 * half applied. `onlyReread`: refuse if the re-read has ended. `from`: the action that the status must allow.
 */
export async function cancelImport(
  db: Db,
  id: string,
  { onlyReread = false, from = 'cancel' }: { onlyReread?: boolean; from?: 'cancel' | 'giveUp' } = {},
): Promise<(ActionSuccess & { reread: boolean }) | ActionRefusal> {
  if (await findDeadCommand(db, id)) await lockRows(db, id);
  const record = await lockImport(db, id);
  const returned = record && (await rollBackReread(db, record));
  if (returned) return { ok: true, import: returned, reread: true };
  if (onlyReread) return rereadEnded;
  if (record && hasPreviewRun(record) && canDo(from, record.status)) {
    return { ok: true, import: await stopUndo(db, record), reread: false };
  }
  // The command's task may have died since the first check. Another process may resume it and wait for this import.
  const stopped = await findDeadCommand(db, id);
  if (stopped && !(await tryLockRows(db, id))) return stoppedNow;
  const moved = await moveStatus(db, id, {
    from: from === 'cancel' ? importActions.cancel : importActions.giveUp,
    to: 'cancelled',
    event: 'cancelled',
    set: { failed_in: null, auto_push_at: null, completed_at: sql`now()` },
  });
  if (!moved) return wrongStatusRefusal;
  // The reopened task sees that the import is cancelled, and undoes the part of its command that was applied.
  if (stopped) await reopenTask(db, stopped);
  return { ok: true, import: moved, reread: false };
}

async function findDeadCommand(db: Db, id: string): Promise<UnendedTask | undefined> {
  const task = await findUnendedTask(db, id, listBlockingTasks('edit'));
  return task?.state === 'dead' ? task : undefined;
}

const stoppedNow: ActionRefusal = {
  ok: false,
  reason: 'A change to this import has stopped just now and is being resumed. Cancel again.',
};

const rereadEnded: ActionRefusal = { ok: false, reason: 'The re-read has already finished.' };

/** Accepts an import as it is ('Mark as Ready'), until its next edit or run. */
export async function markImportReady(db: Db, id: string): Promise<ActionResult> {
  const moved = await moveStatus(db, id, {
    from: importActions.markReady,
    to: 'processed',
    event: 'marked ready',
    set: { marked_ready: true },
  });
  return moved ? { ok: true, import: moved } : wrongStatusRefusal;
}

type PushAnswers = {
  recipes?: 'skip' | undefined;
  readings?: 'as-read' | undefined;
  supplier?: null | undefined;
};

/**
 * Begins the next push run, over all products, in chunks of at most `batchSize` products (default: the setting).
 * Refused while a question is open, unless its answer is given. `recipes`: do not repeat commands of earlier lists.
 * `readings`: send ambiguous columns as shown. `supplier`: the import is no supplier's list. `automatic`: full auto
 * began the push, so products are sent as drafts whatever Safe Mode says.
 */
export async function pushImport(
  db: Db,
  id: string,
  batchSize?: number,
  { automatic = false, recipes, readings, supplier }: PushAnswers & { automatic?: boolean } = {},
): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record || !canDo('push', record.status)) return refuseInStatus(record);
  const reason = await findBlockingReason(db, record, 'push');
  if (reason !== undefined) return { ok: false, reason };
  const isAsked = record.asked_supplier !== null && record.push_run === 0;
  if (isAsked && supplier === undefined && (await hasSeveralSuppliers(db)))
    return { ok: false, reason: whoseFirst };
  const own = await readListOfImport(db, record);
  if (own && needsLateListAnswer(record, own))
    return { ok: false, reason: overtakenSentence(own.overtakenBy ?? '') };
  if (own && needsRecipeAnswer(record, own)) {
    if (recipes === undefined)
      return { ok: false, reason: `${notRepeatedSentence(own.recipes)} ${answerFirst}` };
    await storeRecipesAnswer(db, id, recipes);
  }
  const { mapping } = await readParseRun(db, currentRows(record));
  const [question] = readings === undefined ? describeQuestions(mapping) : [];
  if (question) return { ok: false, reason: `${question.sentence} Choose an answer, then push.` };
  const run = { import_id: id, run: record.push_run + 1 };
  const settings = await readSettings(db);
  const chunks = await insertPushChunks(db, run, {
    productNumbers: record.product_numbers,
    batchSize: batchSize ?? settings.batchSize,
  });
  const draftMode = automatic || settings.draftMode;
  return beginPush(db, record, chunks, { kind: 'full', draftMode, automatic }, record.total_products);
}

const whoseFirst = 'It isn’t clear whose list this is. Choose the supplier, then push.';
const answerFirst = 'Choose Do It Again or Not This Time, then push.';

async function beginPush(
  db: Db,
  record: ImportRecord,
  chunks: number,
  run: NewPushRun,
  products: number,
): Promise<ActionSuccess> {
  const moved = await beginPushRun(db, record, run, {
    ...{ chunks, products, event: run.kind === 'full' ? 'push begun' : 'retried' },
    set: { found_since_push: 0 },
  });
  await stopPreview(db, record.id, 'undo');
  await endAsking(db, record.id, 'A push began, so asking AI was stopped.');
  return { ok: true, import: moved };
}

/**
 * Retries only failed parts: reopens the dead chunks of the failed stage, or pushes the products that the last push
 * did not bring into the store. Locks the import first, then its dead chunks, which only retries change.
 */
export async function retryImport(db: Db, id: string, batchSize?: number): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record || !canDo('retry', record.status)) return refuseInStatus(record);
  const reason = await findBlockingReason(db, record, 'retry');
  if (reason !== undefined) return { ok: false, reason };
  const run = { import_id: id, stage: record.stage, run: record[getRunColumn(record.stage)] };
  const { undone, dead, finalizeDead } = await countChunks(db, run);
  if (undone + dead > 0 || finalizeDead) return retryStage(db, record, run);
  return record.stage === 'push' ? retryPush(db, record, batchSize) : nothingToRetry;
}

const nothingToRetry: ActionRefusal = {
  ok: false,
  reason: 'Nothing failed, so there’s nothing to retry.',
};

async function retryStage(db: Db, record: ImportRecord, run: RunOfStage): Promise<ActionSuccess> {
  await incrementRetries(db, run);
  const reopened = await reopenDeadChunks(db, run);
  const moved = await moveLockedImport(db, record, {
    to: runningStatusOf(record.stage),
    event: 'retried',
    set: { open_chunks: sql`open_chunks + ${reopened}`, ...failureReset },
  });
  if (moved.open_chunks === 0) await enqueueFinalize(db, run);
  await wakeRelay(db, record.stage);
  return { ok: true, import: moved };
}

async function retryPush(db: Db, record: ImportRecord, batchSize?: number): Promise<ActionResult> {
  const outcomes: Outcome[] = record.status === 'completed' ? ['failed'] : ['failed', 'skipped'];
  const run = { import_id: record.id, run: record.push_run + 1 };
  const settings = await readSettings(db);
  const { chunks, products } = await insertRetryChunks(db, run, {
    rowsRun: record.rows_run,
    productNumbers: record.product_numbers,
    batchSize: batchSize ?? settings.batchSize,
    outcomes,
  });
  if (chunks === 0) return nothingToRetry;
  const options = { onlyOutcomes: outcomes };
  return beginPush(db, record, chunks, { kind: 'retry', options, draftMode: settings.draftMode }, products);
}
