import { canDo } from '@draftshelf/domain/imports/import-status';
import { heldSentences } from '@draftshelf/domain/push/auto-push';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, ImportRecord, Schema } from '../connection/schema.ts';
import { readCoverage } from '../enrich/coverage.ts';
import { readEnrichableRows } from '../enrich/found-values.ts';
import { enqueueEditLookups } from '../enrich/lookups/enqueue-lookups.ts';
import { lookUpEditedProducts } from '../enrich/lookups/look-up-edited.ts';
import { readRowsByProduct } from '../enrich/lookups/look-up-range.ts';
import { appendErrors, changeImport, createHoldColumns, lockImport } from '../imports/imports.ts';
import { refreshReviewStatus } from '../imports/review-status.ts';
import { revalidateDuplicates } from '../review/duplicates.ts';
import { addToRunCounts } from '../review/row-facets.ts';
import { lockRows } from '../review/rows-lock.ts';
import { findBlockingReason } from '../work/blocking.ts';
import { insertWorkChunks } from '../work/chunks.ts';
import { lockHeldChunk, markDone } from '../work/claim-chunk.ts';
import { currentRows, hasRunEnded } from '../work/runs.ts';
import { enqueueTask, storeTaskProgress, type TaskProgress } from '../work/tasks.ts';
import { type AddedRowFilter, hasAddedRows } from './added-rows.ts';
import { planAddedRows, writeAddedRows } from './write-added-rows.ts';

export async function hasCurrentRows(db: Db, record: ImportRecord): Promise<boolean> {
  return record.parse_run === record.rows_run && (await hasRunEnded(db, currentRows(record)));
}

/** Returns whether added rows can be updated at once: no worker uses the import's rows, and they were not removed. */
export const isImportIdle = ({
  status,
  rows_removed_at,
}: Pick<ImportRecord, 'status' | 'rows_removed_at'>): boolean =>
  rows_removed_at === null && ['queued', 'processed', 'completed', 'failed'].includes(status);

/** Writes the next added rows. Returns the last ordinal, or null if none is left. The caller locks import and rows. */
export async function updateAddedRows(
  db: Db,
  record: ImportRecord,
  which: AddedRowFilter,
): Promise<number | null> {
  const of = currentRows(record);
  const plan = await planAddedRows(db, of, which);
  // Nothing is appended to a failed import, because a retry of its push would skip appended rows. The end of that push
  // appends the rows.
  if (record.status === 'failed') plan.missing = [];
  const { missing, changed, lastOrdinal } = plan;
  if (missing.length + changed.length === 0) return lastOrdinal;
  const isEnriching = record.stage === 'enrich' && !isImportIdle(record);
  const changedProducts = changed.map(({ product }) => product);
  const before = isEnriching ? [] : await readRowsByProduct(db, of, changedProducts);
  const written = await writeAddedRows(db, of, plan, {
    row: record.total_rows,
    product: record.product_numbers,
  });
  const { classes, facets, rekeyed, appended: rows } = written;
  const marked = await revalidateDuplicates(db, of, rekeyed);
  // The change also raises the version of the import, so that screens read the rows again.
  await changeImport(db, record.id, createHoldColumns(heldSentences.changed));
  await addToRunCounts(db, of, { classes, facets: [...facets, ...marked], added: rows.length });
  if (isEnriching) {
    await enrichAppended(db, record, rows);
  } else {
    const appended = missing.map((_, at) => record.product_numbers + 1 + at);
    const products = [...changedProducts, ...appended];
    const pictured = await lookUpEditedProducts(db, record, { products, fields: new Set(), before });
    await enqueueEditLookups(db, record, { pictured });
  }
  // The appended products have not been pushed yet.
  if (record.status === 'completed' && missing.length > 0) await refreshReviewStatus(db, record.id);
  return lastOrdinal;
}

/** Inserts a chunk for rows appended during the enrich stage. The chunk counts the values that look-ups add. */
async function enrichAppended(db: Db, record: ImportRecord, appended: readonly number[]): Promise<void> {
  const [first] = appended;
  if (first === undefined) return;
  const of = currentRows(record);
  const range = { firstRow: first, rows: appended.length };
  const isLookedUp = (await readCoverage(db, of)).length > 0;
  const enrichable = isLookedUp ? appended.length : (await readEnrichableRows(db, of, range)).length;
  if (enrichable === 0) return;
  const run = { import_id: record.id, stage: 'enrich' as const, run: record.enrich_run };
  await insertWorkChunks(db, run, [{ first_row: first, rows: appended.length }]);
  await changeImport(db, record.id, {
    open_chunks: sql`open_chunks + 1`,
    enrich_rows: sql`enrich_rows + ${enrichable}`,
  });
}

/** Enqueues 'update-added' for products changed during processing, a push or a re-read. Does not lock the rows. */
export async function enqueueUpdateAdded(
  db: Db,
  record: Pick<ImportRecord, 'id' | 'rows_run'>,
): Promise<void> {
  if (await hasAddedRows(db, record.id)) await enqueueTask(db, currentRows(record), 'update-added');
}

/** Returns the reason why no product can be added to an import now, as a sentence, or null. */
export function findAddRefusal({
  status,
  paused_from,
}: Pick<ImportRecord, 'status' | 'paused_from'>): string | null {
  if (status === 'uploading' || paused_from === 'uploading') {
    return 'This import is being pushed. Add the product after the push.';
  }
  return canDo('addProduct', status) ? null : 'This import has ended. Add the product to another one.';
}

/**
 * Task 'update-added': updates the next added rows of an import. Waits for a running command. If the import is being
 * read or pushed, the task ends, and the end of that stage enqueues it again. If the rows were removed, the task ends
 * with a sentence. Locks the import before the task, because a newer run, which drops tasks, does so too.
 */
export async function runUpdateAddedTask(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  return db.transaction().execute(async (trx) => {
    await lockRows(trx, chunk.import_id);
    const record = await lockImport(trx, chunk.import_id);
    const { done } = await lockHeldChunk(trx, chunk);
    const waitFor = record && (await findBlockingReason(trx, record, 'addProduct'));
    const isRemoved = record !== undefined && record.rows_removed_at !== null;
    if (waitFor !== undefined && !isRemoved) return { waitFor };
    const last = record && isImportIdle(record) ? await updateAddedRows(trx, record, { after: done }) : null;
    if (last !== null) {
      await storeTaskProgress(trx, chunk, last);
      return 'more';
    }
    // Raises the version of the import, because screens list open tasks.
    const sentence = `Scanned products were not updated. ${waitFor}`;
    await changeImport(trx, chunk.import_id, isRemoved ? { error_log: appendErrors([sentence]) } : {});
    return markDone(trx, chunk);
  });
}
