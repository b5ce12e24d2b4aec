import { canDo, importActions } from '@draftshelf/domain/import-status';
import type { Outcome } from '@draftshelf/domain/outcome';
import { sql } from 'kysely';
import { countChunks, enqueueFinalize, reopenDead } from '../chunks/chunks.ts';
import { notifyChunks } from '../chunks/notify-chunks.ts';
import { insertPushRun, ofRun, type RunOfStage, runColumn } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import { insertPushChunks, insertPushChunksAgain } from '../push/push-chunks.ts';
import { rollBackReread } from '../reread/reread-rollback.ts';
import type { ImportRecord } from '../schema.ts';
import { lockImport, moveStatus } from './imports.ts';

/** An action that could not be done; `reason` is a sentence. */
export type ActionRefused = { ok: false; reason: string };
export type ActionDone = { ok: true; import: ImportRecord };

export const wrongStatus: ActionRefused = {
  ok: false,
  reason: 'The import’s current status doesn’t allow this.',
};

const notWaiting = { waiting_for: null, waiting_until: null };

/** Pauses an import where it is: nothing more of it is published, and its workers stop before the next product. */
export async function pauseImport(db: Db, id: string): Promise<ActionDone | ActionRefused> {
  for (const from of importActions.pause) {
    const moved = await moveStatus(db, id, {
      from: [from],
      to: 'paused',
      set: { paused_from: from, paused_by: 'operator', resume_at: null, ...notWaiting },
    });
    if (moved) return { ok: true, import: moved };
  }
  return wrongStatus;
}

/** Pauses an import because the store accepts nothing more until `resumeAt`. The sweep resumes it then. */
export async function pauseForStore(
  db: Db,
  id: string,
  wait: { cause: string; resumeAt: Date },
): Promise<void> {
  await moveStatus(db, id, {
    from: ['uploading'],
    to: 'paused',
    set: {
      paused_from: 'uploading',
      paused_by: 'store',
      resume_at: wait.resumeAt,
      waiting_for: wait.cause,
      waiting_until: wait.resumeAt,
    },
  });
}

/** Resumes a paused import where it was. */
export async function resumeImport(db: Db, id: string): Promise<ActionDone | ActionRefused> {
  const paused = await db
    .selectFrom('imports')
    .select(['paused_from', 'stage'])
    .where('id', '=', id)
    .where('status', '=', 'paused')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!paused?.paused_from) return wrongStatus;
  const moved = await moveStatus(db, id, {
    from: importActions.resume,
    to: paused.paused_from,
    set: { paused_from: null, paused_by: null, resume_at: null, ...notWaiting },
  });
  if (!moved) return wrongStatus;
  await notifyChunks(db, paused.stage);
  return { ok: true, import: moved };
}

/**
 * Cancels a re-read, which rolls the import back to its state before it, or else cancels the import for good. What is
 * already in the store stays there and stays recorded. `onlyReread`: do not cancel the import when the re-read has
 * already ended.
 */
export async function cancelImport(
  db: Db,
  id: string,
  onlyReread = false,
): Promise<(ActionDone & { reread: boolean }) | ActionRefused> {
  const record = await lockImport(db, id);
  const returned = record && (await rollBackReread(db, record));
  if (returned) return { ok: true, import: returned, reread: true };
  if (onlyReread) return rereadEnded;
  const moved = await moveStatus(db, id, {
    from: importActions.cancel,
    to: 'cancelled',
    set: { paused_from: null, paused_by: null, resume_at: null, completed_at: sql`now()`, ...notWaiting },
  });
  return moved ? { ok: true, import: moved, reread: false } : wrongStatus;
}

const rereadEnded: ActionRefused = { ok: false, reason: 'The re-read has already finished.' };

/** 'Mark as Ready': the operator accepts the import as it is, until the next edit or run. */
export async function markImportReady(db: Db, id: string): Promise<ActionDone | ActionRefused> {
  const moved = await moveStatus(db, id, {
    from: importActions.markReady,
    to: 'processed',
    set: { marked_ready: true },
  });
  return moved ? { ok: true, import: moved } : wrongStatus;
}

/** Begins push run + 1 over all products of the import, in chunks of at most `batchSize` product numbers. */
export async function pushImport(db: Db, id: string, batchSize: number): Promise<ActionDone | ActionRefused> {
  const record = await lockImport(db, id);
  if (!record || !canDo('push', record.status)) return wrongStatus;
  const run = { import_id: id, run: record.push_run + 1 };
  const chunks = await insertPushChunks(db, run, { productNumbers: record.product_numbers, batchSize });
  return beginPush(db, run, { chunks, products: record.total_products, onlyOutcomes: null });
}

/** Moves a locked import that may be pushed to its next push run, whose chunks have been inserted. */
async function beginPush(
  db: Db,
  { import_id, run }: { import_id: string; run: number },
  { chunks, products, onlyOutcomes }: { chunks: number; products: number; onlyOutcomes: Outcome[] | null },
): Promise<ActionDone | ActionRefused> {
  const moved = await moveStatus(db, import_id, {
    from: [...importActions.push, ...importActions.retry],
    to: 'uploading',
    set: {
      stage: 'push',
      push_run: run,
      open_chunks: chunks,
      push_total: products,
      push_done: 0,
      failed_in: null,
      error_message: null,
      error_log: sql`'{}'`,
      error_count: 0,
      started_at: sql`now()`,
      completed_at: null,
      ...notWaiting,
    },
  });
  if (!moved) throw new Error(`Import ${import_id} changed its status while it was locked`);
  await insertPushRun(db, import_id, run, onlyOutcomes);
  if (chunks === 0) await enqueueFinalize(db, { import_id, stage: 'push', run });
  return { ok: true, import: moved };
}

/**
 * Retries only what is missing: reopens the dead chunks of the failed stage, or pushes again the products that the last
 * push did not bring into the store.
 */
export async function retryImport(
  db: Db,
  id: string,
  batchSize: number,
): Promise<ActionDone | ActionRefused> {
  const record = await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst();
  if (!record || !(importActions.retry as readonly string[]).includes(record.status)) return wrongStatus;
  const run = { import_id: id, stage: record.stage, run: record[runColumn(record.stage)] };
  const { undone, dead } = await countChunks(db, run);
  const finalizeDead = await isFinalizeDead(db, run);
  if (record.stage !== 'push' || undone + dead > 0 || finalizeDead) {
    if (undone + dead === 0 && !finalizeDead) return nothingToRetry;
    return retryStage(db, record, run);
  }
  return retryPush(db, record, batchSize);
}

const nothingToRetry: ActionRefused = {
  ok: false,
  reason: 'Nothing failed, so there’s nothing to retry.',
};

async function isFinalizeDead(db: Db, run: RunOfStage): Promise<boolean> {
  const finalize = await db
    .selectFrom('chunks')
    .select('id')
    .where(ofRun(run))
    .where('kind', '=', 'finalize')
    .where('state', '=', 'dead')
    .executeTakeFirst();
  return finalize !== undefined;
}

/** Reopens the dead chunks (locked before their import, as everywhere) and continues the stage. */
async function retryStage(
  db: Db,
  record: ImportRecord,
  run: RunOfStage,
): Promise<ActionDone | ActionRefused> {
  const reopened = await reopenDead(db, run);
  const moved = await moveStatus(db, record.id, {
    from: importActions.retry,
    to: record.stage === 'push' ? 'uploading' : 'processing',
    set: {
      open_chunks: sql`open_chunks + ${reopened}`,
      failed_in: null,
      error_message: null,
      error_log: sql`'{}'`,
      error_count: 0,
      completed_at: null,
      ...notWaiting,
    },
  });
  // The import was read before its chunks were locked: another retry may have moved it to a later stage since.
  if (moved?.stage !== record.stage || moved[runColumn(moved.stage)] !== run.run)
    throw new RetryRaced(record.id);
  if (moved.open_chunks === 0) await enqueueFinalize(db, run);
  await notifyChunks(db, record.stage);
  return { ok: true, import: moved };
}

/** Thrown to roll back when two retries collide. The api answers the second one with a conflict. */
export class RetryRaced extends Error {
  constructor(id: string) {
    super(`Import ${id} was changed by another retry at the same moment`);
    this.name = 'RetryRaced';
  }
}

async function retryPush(
  db: Db,
  record: ImportRecord,
  batchSize: number,
): Promise<ActionDone | ActionRefused> {
  const outcomes: Outcome[] = record.status === 'completed' ? ['failed'] : ['failed', 'skipped'];
  const locked = await lockImport(db, record.id);
  if (locked?.push_run !== record.push_run || locked.status !== record.status) return wrongStatus;
  const run = { import_id: record.id, run: record.push_run + 1 };
  const { rows_run: rowsRun, product_numbers: productNumbers } = locked;
  const again = await insertPushChunksAgain(db, run, { rowsRun, productNumbers, batchSize, outcomes });
  if (again.chunks === 0) return nothingToRetry;
  return beginPush(db, run, { ...again, onlyOutcomes: outcomes });
}
