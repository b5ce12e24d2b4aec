import type { Kysely } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, ImportRecord, RunRecord, Schema } from '../connection/schema.ts';
import { enqueueMissedMatching } from '../enrich/pictures/enqueue-matching.ts';
import { errorLogMax, type ImportChanges, moveStatus } from '../imports/imports.ts';
import { refreshReviewStatus } from '../imports/review-status.ts';
import { readLastEditId } from '../review/commands/stored-edits.ts';
import { enqueueRowRemoval, removeReplacedRows } from '../review/remove-rows.ts';
import { enqueueUpdateAdded } from '../scanner/update-added-rows.ts';
import { enqueueCheckGuards } from '../suppliers/check-guards.ts';
import { removeFormerItems } from '../suppliers/lists.ts';
import { currentRows, hasRunEnded, readRun, toParseRun } from './runs.ts';
import type { TaskProgress } from './tasks.ts';

/** Returns whether a stored file is being re-read: the current rows belong to an earlier run. */
export function isRereading(
  record: Pick<ImportRecord, 'status' | 'paused_from' | 'parse_run' | 'rows_run'>,
): boolean {
  const runs = record.status === 'processing' || record.paused_from === 'processing';
  return runs && record.parse_run !== record.rows_run;
}

export const rereadFaultSentence =
  'The file couldn’t be re-read because of an internal error. See the error log.';

/** `cause`: a technical cause for the error log. */
export type RereadFailure = { sentence: string; cause?: string };

/**
 * Ends the re-read of a locked import and restores the state of the run whose rows are current. Edits made during the
 * re-read stay, and the status takes them into account. Tasks remove the rows of the re-read, append products that
 * were added meanwhile, and match new pictures. Returns undefined if no re-read is in progress.
 */
export async function rollBackReread(
  db: Db,
  record: ImportRecord,
  failure?: RereadFailure,
): Promise<ImportRecord | undefined> {
  if (!isRereading(record)) return undefined;
  const { id: import_id, parse_run: run } = record;
  const columns = ['status_before', 'edit_before'] as const;
  const { status_before, edit_before } = await readRun(db, toParseRun({ import_id, run }), columns);
  if (status_before === null) throw new Error(`Run ${run} of import ${import_id} is not a re-read`);
  await enqueueRowRemoval(db, currentRows(record), 'later');
  const moved = await moveStatus(db, record.id, {
    from: ['processing', 'paused'],
    to: status_before,
    event: failure ? 'reread failed' : 'reread cancelled',
    set: {
      parse_run: record.rows_run,
      ...(failure ? await failed(db, { record, status_before }, failure) : {}),
    },
  });
  if (moved) {
    await enqueueCheckGuards(db, moved);
    await enqueueUpdateAdded(db, moved);
    await enqueueMissedMatching(db, moved);
  }
  const isEdited = moved && (await readLastEditId(db, record.id)) > (edit_before ?? 0);
  return isEdited ? refreshReviewStatus(db, record.id) : moved;
}

/** Task 'remove-rows': removes items of the list to which the import no longer belongs, then rows of hidden runs. */
export async function removeUnshownRows(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  if ((await hasRunEnded(db, chunk)) && (await removeFormerItems(db, chunk))) return 'more';
  return removeReplacedRows(db, chunk);
}

/** Returns an import's changes after a failed re-read. Keeps an earlier cause, because a retry depends on it. */
async function failed(
  db: Db,
  { record, status_before }: { record: ImportRecord; status_before: RunRecord['status_before'] },
  { sentence, cause }: RereadFailure,
): Promise<ImportChanges> {
  const columns = ['failed_in', 'error_message', 'error_log', 'error_count'] as const;
  const shown = await readRun(db, toParseRun(currentRows(record)), columns);
  const before = status_before === 'failed' && shown.error_message !== null ? `${shown.error_message} ` : '';
  const kept = shown.failed_in === 'parse' ? '' : ' The previous rows were kept.';
  const causes = cause === undefined ? [] : [cause];
  return {
    error_message: before + sentence + kept,
    error_log: [...shown.error_log, ...record.error_log, ...causes].slice(-errorLogMax),
    error_count: shown.error_count + record.error_count + causes.length,
  };
}
