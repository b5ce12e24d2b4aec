import type { ImportEvent, UndoEvent } from '@draftshelf/domain/imports/activity';
import { finalStatuses } from '@draftshelf/domain/imports/import-status';
import { listUndoSums } from '@draftshelf/domain/push/undo-actions';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import {
  columnsBeforeUndo,
  type GoneRecord,
  type ImportRecord,
  type PushUndoRecord,
} from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { failureReset, findImport, moveLockedImport, moveStatus } from '../../imports/imports.ts';
import { toReviewStatus } from '../../imports/review-status.ts';
import { dropChunks } from '../../work/chunks.ts';
import { endRun } from '../../work/runs.ts';
import { changePreview } from '../previews/previews.ts';
import { readCarriedOutPreview } from '../previews/push-undos.ts';
import { beginPushRun, insertPushChunks, readPushRun } from '../push-run.ts';

/** Lines per chunk, equal to the products in a push's chunk, so that reads of several chunks share a request. */
const linesPerChunk = 25;

/** Begins the push run that carries out a preview of a locked import, in chunks of lines. */
export async function beginPreviewRun(
  db: Db,
  record: ImportRecord,
  preview: PushUndoRecord | GoneRecord,
): Promise<ImportRecord> {
  const { id } = record;
  const run = record.push_run + 1;
  const { kind, shop, total } = preview;
  const undoes_run = kind === 'undo' ? preview.undoes_run : run;
  const products = total ?? 0;
  const lines = { productNumbers: products, batchSize: linesPerChunk };
  const chunks = await insertPushChunks(db, { import_id: id, run }, lines);
  const columns = Object.fromEntries(columnsBeforeUndo.map((column) => [column, record[column]]));
  const before = storableJson({ status: record.status, columns });
  await changePreview(db, preview.id, { run, status_before: before });
  const event = kind === 'undo' ? await chooseUndoEvent(db, { id, undoes_run }, 'undo begun') : 'gone begun';
  const automatic = kind === 'gone' && preview.gone.automatic;
  const changes = { chunks, products, event, set: { undoes_run } };
  return beginPushRun(db, record, { kind, shop, automatic }, changes);
}

/** Returns whether the import's push run carries out a preview, even if the run is paused or has failed. */
export const hasPreviewRun = ({ undoes_run }: Pick<ImportRecord, 'undoes_run'>): boolean =>
  undoes_run !== null;

/**
 * Ends a locked import's run that carries out a preview. The import returns to its earlier status or, if a product can
 * be pushed again, to review. If the earlier push failed, the import is in review, too: a retry would repeat the undo.
 */
export async function completePreviewRun(
  db: Db,
  record: ImportRecord,
  event: ImportEvent,
): Promise<ImportRecord> {
  const preview = await readCarriedOutPreview(db, record.id, record.push_run);
  await changePreview(db, preview.id, { ended_at: sql<Date>`clock_timestamp()` });
  await endRun(db, { import_id: record.id, stage: 'push', run: record.push_run });
  const before = preview.status_before;
  const isInReview =
    before === null ||
    (preview.kind === 'undo' ? await canBePushed(db, record, preview) : false) ||
    (before.status === 'failed' && lacksOutcomes(record));
  const columns = isInReview ? inReview : before.columns;
  return moveLockedImport(db, record, {
    to: isInReview ? toReviewStatus(record) : before.status,
    event,
    set: { undoes_run: null, open_chunks: 0, auto_push_at: null, ...columns },
  });
}

const inReview = { ...failureReset, push_total: 0, push_done: 0 };

/** Products gone from a list do not belong to the list's import, so undoing their changes leaves nothing to push. */
async function canBePushed(db: Db, record: ImportRecord, undo: PushUndoRecord): Promise<boolean> {
  const { carriesOut } = await readPushRun(db, { import_id: record.id, run: undo.undoes_run });
  if (carriesOut === 'gone') return lacksOutcomes(record);
  return listUndoSums(undo.results).some(({ action }) => action !== 'keep');
}

const lacksOutcomes = ({ created, updated, unchanged, skipped, failed, total_products }: ImportRecord) =>
  created + updated + unchanged + skipped + failed < total_products;

const isAboutGone = ({ undoes_run, push_run }: ImportRecord): boolean => undoes_run === push_run;

export async function chooseUndoEvent(
  db: Db,
  { id, undoes_run }: Pick<ImportRecord, 'id' | 'undoes_run'>,
  event: UndoEvent,
): Promise<ImportEvent> {
  if (undoes_run === null) return event;
  const { carriesOut } = await readPushRun(db, { import_id: id, run: undoes_run });
  return carriesOut === 'gone' ? `gone ${event}` : event;
}

/** Stops a locked import's run that carries out a preview. Drops its chunks, but records writes in progress. */
export async function stopUndo(db: Db, record: ImportRecord): Promise<ImportRecord> {
  const event = isAboutGone(record) ? 'gone cancelled' : await chooseUndoEvent(db, record, 'undo cancelled');
  const moved = await completePreviewRun(db, record, event);
  await dropChunks(db, { import_id: record.id, stage: 'push', run: record.push_run });
  return moved;
}

/** Moves an import back to review if one of its products lost an outcome after the undo was stopped. */
export async function reopenAfterLateUndo(db: Db, id: string): Promise<void> {
  const record = await findImport(db, id);
  if (!record || hasPreviewRun(record)) return;
  await moveStatus(db, id, { from: finalStatuses, to: toReviewStatus(record), set: inReview });
}
