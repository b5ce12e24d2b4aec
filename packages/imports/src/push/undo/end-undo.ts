import type { Db } from '@draftshelf/database/connection/database';
import type { ImportRecord } from '@draftshelf/database/connection/schema';
import { findImport, moveStatus } from '@draftshelf/database/imports/imports';
import { changePreview } from '@draftshelf/database/push/previews/previews';
import { readUndoOfRun } from '@draftshelf/database/push/previews/push-undos';
import { dropChunks } from '@draftshelf/database/work/chunks';
import { endRun } from '@draftshelf/database/work/runs';
import type { ImportEvent } from '@draftshelf/domain/imports/activity';
import { finalStatuses, type ImportStatus } from '@draftshelf/domain/imports/import-status';
import { undoSumsOf } from '@draftshelf/domain/push/undo-actions';
import { sql } from 'kysely';
import { statusOf } from '../../review-status.ts';

/** Whether a push of an import is being undone, also while that is paused or has failed. */
export const isUndoing = ({ undoes_run }: Pick<ImportRecord, 'undoes_run'>): boolean => undoes_run !== null;

const atRest = {
  ...{ undoes_run: null, open_chunks: 0, paused_from: null, paused_by: null, resume_at: null },
  ...{ waiting_for: null, waiting_until: null, auto_push_at: null },
};

/**
 * Ends the undo of a locked import: it is in review if a product can be pushed again, and else as it was before. What
 * is undone stays undone. A push that had failed half-way is in review too, because a retry would repeat the undo,
 * not the push.
 */
export async function endUndo(db: Db, record: ImportRecord, event: ImportEvent): Promise<ImportRecord> {
  const undo = await readUndoOfRun(db, record.id, record.push_run);
  await changePreview(db, undo.id, { ended_at: sql<Date>`clock_timestamp()` });
  await endRun(db, { import_id: record.id, stage: 'push', run: record.push_run });
  const before = undo.status_before;
  const hasUndone = undoSumsOf(undo.results).some(({ action }) => action !== 'keep');
  const isInReview = hasUndone || before === null || isUnfinished(record, before.status);
  const moved = await moveStatus(db, record.id, {
    from: ['uploading', 'paused', 'failed'],
    to: isInReview ? statusOf(record) : before.status,
    event,
    set: { ...atRest, ...(isInReview ? inReview : before.columns) },
  });
  if (!moved) throw new Error(`Import ${record.id} changed its status while it was locked`);
  return moved;
}

const inReview = {
  ...{ failed_in: null, error_message: null, error_log: [], error_count: 0, completed_at: null },
  ...{ push_total: 0, push_done: 0 },
};

function isUnfinished(record: ImportRecord, status: ImportStatus): boolean {
  const { created, updated, unchanged, skipped, failed } = record;
  return status === 'failed' && created + updated + unchanged + skipped + failed < record.total_products;
}

/**
 * Stops the undo of a locked import. Its chunks are dropped: a product that is being sent is recorded when the store
 * has replied.
 */
export async function stopUndo(db: Db, record: ImportRecord): Promise<ImportRecord> {
  const moved = await endUndo(db, record, 'undo cancelled');
  await dropChunks(db, { import_id: record.id, stage: 'push', run: record.push_run });
  return moved;
}

/** Brings an import into review whose product has lost its outcome after its undo was stopped. */
export async function reviewLateUndo(db: Db, id: string): Promise<void> {
  const record = await findImport(db, id);
  if (!record || isUndoing(record)) return;
  await moveStatus(db, id, { from: finalStatuses, to: statusOf(record), set: inReview });
}
