import type { Outcome } from '@draftshelf/domain/imports/outcome';
import { type Kysely, sql } from 'kysely';
import { type Db, isDatabaseUnavailable } from '../../connection/database.ts';
import type { ChunkRecord, ImportRecord, Schema } from '../../connection/schema.ts';
import { changeImport, findImport, moveStatus } from '../../imports/imports.ts';
import { toReviewStatus } from '../../imports/review-status.ts';
import { chooseUndoEvent, completePreviewRun } from '../../push/changes/carry-out.ts';
import { countInStoreAndLeftOut } from '../../push/outcomes.ts';
import { comparePlan } from '../../push/plan/plan.ts';
import { readPushRun } from '../../push/push-run.ts';
import { rememberPush } from '../../push/pushed-before.ts';
import { removeStampReads } from '../../push/store/stamp-reads.ts';
import { countOutcomes } from '../../reading/carry-over.ts';
import { wasEditedAfterPush } from '../../review/commands/edits-since.ts';
import { readLastEditId } from '../../review/commands/stored-edits.ts';
import { enqueueUpdateAdded } from '../../scanner/update-added-rows.ts';
import { enqueueCountList } from '../../suppliers/count-list.ts';
import { lockRunningImport } from '../complete-chunk.ts';
import { failImport } from '../fail-import.ts';
import { currentRows } from '../runs.ts';
import { enqueueTask } from '../tasks.ts';
import { endRunOrFail } from './end-run-or-fail.ts';

type WarningLogger = { warn(fields: object, message: string): void };

/**
 * Ends a push run: compares the outcomes with the plan, then derives the import's status from outcomes and edits.
 * Edits made after the push are searched before the import is locked; under the lock, only newer edits are searched.
 */
export async function finalizePush(
  db: Kysely<Schema>,
  chunk: ChunkRecord,
  logger: WarningLogger,
): Promise<true> {
  const { carriesOut } = await readPushRun(db, chunk);
  if (carriesOut !== null) {
    await db.transaction().execute((trx) => endPreviewRun(trx, chunk, carriesOut));
    return true;
  }
  const record = await findImport(db, chunk.import_id);
  if (record)
    await comparePlan(db, record).catch((err) => {
      if (isDatabaseUnavailable(err)) throw err;
      logger.warn({ err, importId: record.id }, 'A push could not be compared with its plan');
    });
  const until = await readLastEditId(db, chunk.import_id);
  const edited = await wasEditedAfterPush(db, chunk.import_id, 0);
  await db.transaction().execute((trx) => endPush(trx, chunk, { until, edited }));
  return true;
}

async function endPreviewRun(db: Db, chunk: ChunkRecord, kind: 'undo' | 'gone'): Promise<void> {
  const record = await lockRunningImport(db, chunk);
  const event = kind === 'undo' ? await chooseUndoEvent(db, record, 'undone') : 'gone done';
  if (await endRunOrFail(db, record, chunk)) await completePreviewRun(db, record, event);
}

async function endPush(db: Db, chunk: ChunkRecord, known: { until: number; edited: boolean }): Promise<void> {
  const locked = await lockRunningImport(db, chunk);
  if (!(await endRunOrFail(db, locked, chunk))) return;
  const record = await withTrueCounters(db, locked);
  await removeStampReads(db, record.id);
  const rows = currentRows(record);
  const none = { inStore: 0, leftOut: 0 };
  const { inStore, leftOut } = record.skipped === 0 ? none : await countInStoreAndLeftOut(db, rows);
  const settled = inStore + leftOut;
  const isNothingNew = settled > 0 && record.skipped === settled && record.failed === 0;
  if (record.created + record.updated + record.unchanged === 0 && !isNothingNew) {
    await failImport(db, chunk.import_id, 'push', noneSentence(record, { inStore, leftOut }));
    return;
  }
  const { automatic, retry } = await readPushRun(db, chunk);
  if (!automatic) await rememberPush(db, record);
  const edited = known.edited || (await wasEditedAfterPush(db, record.id, known.until));
  // After a push by full auto, failed and skipped products need a person, except those in the store or left out.
  const needsPerson = automatic && record.skipped - settled + record.failed > 0;
  const to = edited ? toReviewStatus(record) : needsPerson ? 'queued' : 'completed';
  const set = { completed_at: sql<Date>`now()`, in_store: inStore };
  await moveStatus(db, record.id, { from: ['uploading'], to, set, event: 'pushed' });
  await enqueueTask(db, rows, 'learn-values', record.total_rows);
  if (retry === null) await enqueueCountList(db, record);
  await enqueueUpdateAdded(db, record);
}

/** Returns the import with its counters corrected if they differ from the outcomes. Throws if outcomes are missing. */
async function withTrueCounters(db: Db, record: ImportRecord): Promise<ImportRecord> {
  if (countResults(record) === record.total_products) return record;
  const counted = await countOutcomes(db, currentRows(record));
  const results = countResults(counted);
  if (results !== record.total_products) {
    const { id, total_products } = record;
    throw new Error(
      `The results of import ${id} don’t add up: ${total_products} products, ${results} results.`,
    );
  }
  await changeImport(db, record.id, counted);
  return { ...record, ...counted };
}

const countResults = ({ created, updated, unchanged, skipped, failed }: Record<Outcome, number>): number =>
  created + updated + unchanged + skipped + failed;

function noneSentence(
  { skipped, failed }: Pick<ImportRecord, 'skipped' | 'failed'>,
  { inStore, leftOut }: { inStore: number; leftOut: number },
): string {
  const others = skipped - inStore - leftOut;
  const parts = [
    inStore > 0 ? `${inStore} already in the store` : '',
    leftOut > 0 ? `${leftOut} left out of the push` : '',
    others > 0 ? `${others} skipped (see the rows for reasons)` : '',
    failed > 0 ? `${failed} rejected by the store` : '',
  ].filter((part) => part !== '');
  return `No products were pushed: ${parts.join(', ') || 'the import has none'}.`;
}
