import { runningStatusOf, type Stage } from '@draftshelf/domain/import-status';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { appendedErrors, moveStatus, nextVersion } from '../imports/imports.ts';
import { faultSentence, rollBackReread } from '../reread/reread-rollback.ts';
import type { ChunkRecord, ImportRecord } from '../schema.ts';
import { enqueueFinalize } from './chunks.ts';
import { markDead, markDone } from './claim-chunk.ts';
import { runColumn } from './runs.ts';

/** How far a chunk brought its import; what is not named stays. */
export type Progress = Partial<
  Record<
    | 'parsed_rows'
    | 'processed_products'
    | 'valid_products'
    | 'warning_products'
    | 'error_products'
    | 'enriched_rows',
    number
  >
>;

export type ChunkOfRun = Pick<ChunkRecord, 'id' | 'publication' | 'claims' | 'import_id' | 'stage' | 'run'>;

/**
 * The end of a work chunk's transaction: done mark, progress, and, where it was the last open one, the birth of
 * the finalize. The effect must be in the same transaction, after `markDone` has locked the chunk: work chunks are
 * always locked before their import, and the import before its finalize, so that no two transactions wait for each other.
 */
export async function completeChunk(db: Db, chunk: ChunkOfRun, progress: Progress): Promise<void> {
  const moved = Object.entries(progress).map(([column, by]) => [column, sql`${sql.ref(column)} + ${by}`]);
  await closeChunk(db, chunk, { ...Object.fromEntries(moved), waiting_for: null, waiting_until: null });
}

/** A work chunk that is out of attempts: dead, its cause in the import's error log, its siblings go on. */
export async function failChunk(db: Db, chunk: ChunkOfRun, place: string, cause: string): Promise<void> {
  await markDead(db, chunk, cause);
  await closeChunk(db, chunk, {
    error_log: appendedErrors([`${place}: ${cause}`]),
    error_count: sql`error_count + 1`,
    waiting_for: null,
    waiting_until: null,
  });
}

/** Done mark and hand-over of a chunk that has no effect of its own in the database's rows. */
export async function finishChunk(db: Db, chunk: ChunkOfRun, progress: Progress): Promise<void> {
  await markDone(db, chunk);
  await completeChunk(db, chunk, progress);
}

async function closeChunk(db: Db, chunk: ChunkOfRun, set: Record<string, unknown>): Promise<void> {
  const row = await db
    .updateTable('imports')
    .set({ ...set, open_chunks: sql`open_chunks - 1`, version: nextVersion })
    .where('id', '=', chunk.import_id)
    .where('stage', '=', chunk.stage)
    .where(runColumn(chunk.stage), '=', chunk.run)
    .returning('open_chunks')
    .executeTakeFirst();
  if (row?.open_chunks === 0) {
    await enqueueFinalize(db, { import_id: chunk.import_id, stage: chunk.stage, run: chunk.run });
  }
}

/** Thrown to roll back when the import was paused, cancelled or moved on while a chunk of it was being worked on. */
export class ImportNotRunning extends Error {
  constructor(importId: string, stage: Stage) {
    super(`Import ${importId} does not run its ${stage} stage now`);
    this.name = 'ImportNotRunning';
  }
}

/** Locks the import of a finalize for this transaction. Throws ImportNotRunning when it may not be finalized now. */
export async function lockRunning(db: Db, chunk: ChunkOfRun): Promise<ImportRecord> {
  const locked = await db
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', chunk.import_id)
    .where('status', '=', runningStatusOf(chunk.stage))
    .where('stage', '=', chunk.stage)
    .where(runColumn(chunk.stage), '=', chunk.run)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!locked) throw new ImportNotRunning(chunk.import_id, chunk.stage);
  return locked;
}

/** Shows on an import that its stage waits, for what and until when; nothing where it does not run any more. */
export async function showWaiting(
  db: Db,
  chunk: ChunkOfRun,
  wait: { cause: string; until: Date },
): Promise<void> {
  await db
    .updateTable('imports')
    .set({ waiting_for: wait.cause, waiting_until: wait.until, version: nextVersion })
    .where('id', '=', chunk.import_id)
    .where('status', '=', runningStatusOf(chunk.stage))
    .where('stage', '=', chunk.stage)
    .execute();
}

/**
 * A finalize that cannot be done fails the import, since what it would have decided is not known, or ends a re-read. Throws
 * ImportNotRunning when the import was paused meanwhile: dead, the finalize would never be published again when it goes on.
 */
export async function failFinalize(db: Db, chunk: ChunkOfRun, cause: string): Promise<void> {
  const record = await lockRunning(db, chunk);
  const told = `The last step of reading the file anew: ${cause}`;
  if (!(await rollBackReread(db, record, { sentence: faultSentence, cause: told }))) {
    await failImport(db, chunk.import_id, chunk.stage, cause);
  }
  await markDead(db, chunk, cause);
}

/** Ends an import in `failed` with a cause that the operator reads; nothing changes if it does not run. */
export async function failImport(db: Db, importId: string, stage: Stage, cause: string): Promise<boolean> {
  const moved = await moveStatus(db, importId, {
    from: [runningStatusOf(stage)],
    to: 'failed',
    set: {
      failed_in: stage,
      error_message: cause,
      error_log: appendedErrors([cause]),
      error_count: sql`error_count + 1`,
      waiting_for: null,
      waiting_until: null,
      completed_at: sql`now()`,
    },
  });
  return moved !== undefined;
}
