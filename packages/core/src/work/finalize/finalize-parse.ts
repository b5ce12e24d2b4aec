import { type Kysely, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type {
  ChunkRecord,
  FinalizeProgress,
  FinalizeStep,
  ImportRecord,
  Schema,
} from '../../connection/schema.ts';
import { beginCoverage } from '../../enrich/coverage.ts';
import { enqueueImageCheck, enqueueLookups } from '../../enrich/lookups/enqueue-lookups.ts';
import { enqueueMatching } from '../../enrich/pictures/enqueue-matching.ts';
import { enqueueRules } from '../../enrich/rules/enqueue-rules.ts';
import { changeImport, findImport, moveStatus, readImport } from '../../imports/imports.ts';
import { toReviewStatus } from '../../imports/review-status.ts';
import { repeatCurrencyAnswer } from '../../push/pushed-before.ts';
import { storeProgress } from '../../reading/finalize-progress.ts';
import { reopenColumnQuestions } from '../../reading/mappings.ts';
import { readLastEditId } from '../../review/commands/stored-edits.ts';
import { enqueueRowRemoval } from '../../review/remove-rows.ts';
import { hasWaitingImports } from '../../review/row-matches.ts';
import { analyzeGrownTables } from '../../review/vacuum.ts';
import { isRunOutdated } from '../../scanner/run-added-rows.ts';
import { enqueueUpdateAdded } from '../../scanner/update-added-rows.ts';
import { forgetValuesOfList, lockCarriedValues } from '../../suppliers/carried-values.ts';
import { enqueueCheckGuards } from '../../suppliers/check-guards.ts';
import { readNewestEditId } from '../../suppliers/edits-to-keep.ts';
import { assignSupplier, findOvertakenSupplier } from '../../suppliers/find-supplier.ts';
import { enqueueKeepItems } from '../../suppliers/items.ts';
import { findListOfImport, storeComparison } from '../../suppliers/lists.ts';
import { applyUnaskedRecipes } from '../../suppliers/recipes/answer-recipes.ts';
import { hasValuesToCarry, readEditsKeptTo, storeCarriedTime } from '../../suppliers/values-to-carry.ts';
import { insertWorkChunks } from '../chunks.ts';
import { lockRunningImport } from '../complete-chunk.ts';
import { currentRows, insertEnrichRun } from '../runs.ts';
import { dropReplacedTasks, enqueueTask } from '../tasks.ts';
import { endRunOrFail } from './end-run-or-fail.ts';
import { firstStepOnCurrentRows, type PreparedRun, prepareRun } from './prepare-run.ts';

/**
 * Does the next part of the finalize of a parse run, and returns whether it was the last. prepareRun prepares the
 * rows. Then a transaction locks the import and makes the rows current; it ends the run, too, if there are no values
 * to carry into the rows. A re-read that stops before this transaction has changed nothing.
 */
export async function finalizeParse(db: Kysely<Schema>, chunk: ChunkRecord): Promise<boolean> {
  await analyzeGrownTables(db);
  const prepared = await db.transaction().execute((trx) => prepareRun(trx, chunk));
  if (prepared === 'unfinished') return false;
  return db
    .transaction()
    .execute((trx) => (prepared === 'unread' ? endUnread(trx, chunk) : endPrepared(trx, chunk, prepared)));
}

async function endUnread(db: Db, chunk: ChunkRecord): Promise<true> {
  const record = await lockRunningImport(db, chunk);
  if (await endRunOrFail(db, record, chunk)) {
    throw new Error(`Run ${chunk.run} of import ${record.id} was not prepared`);
  }
  return true;
}

async function endPrepared(db: Db, chunk: ChunkRecord, prepared: PreparedRun): Promise<boolean> {
  const { progress } = prepared;
  if (progress.carried !== null) return endCurrent(db, await lockRunningImport(db, chunk), chunk, prepared);
  if (chunk.run > 1) {
    // The import may move to another supplier, so the carried values of both suppliers are locked.
    const former = (await findImport(db, chunk.import_id))?.supplier ?? null;
    const both = [former, progress.supplier.id].filter((id) => id !== null);
    await lockCarriedValues(db, both);
  }
  const record = await lockRunningImport(db, chunk);
  const outdated = await findOutdated(db, record, chunk, progress);
  if (outdated) {
    await storeProgress(db, chunk, { ...progress, ...outdated, at: 0 });
    return false;
  }
  const carries = await hasValuesToCarry(db, { ...record, supplier: progress.supplier.id });
  await makeCurrent(db, record, chunk, prepared, carries ? firstStepOnCurrentRows : null);
  // Without values to carry, the run ends in this transaction: another part would compete with the import's new tasks.
  return !carries && endCurrent(db, record, chunk, prepared);
}

async function endCurrent(
  db: Db,
  record: ImportRecord,
  chunk: ChunkRecord,
  prepared: PreparedRun,
): Promise<true> {
  if (await endRunOrFail(db, record, chunk)) await beginEnriching(db, record, chunk, prepared);
  return true;
}

/**
 * Returns the first step whose input has changed since the step ran: added products, another list of the supplier, or
 * edits made during a pause. The caller repeats that step and all later steps, and has locked the import.
 */
async function findOutdated(
  db: Db,
  record: ImportRecord,
  of: ChunkRecord,
  progress: FinalizeProgress,
): Promise<Pick<FinalizeProgress, 'step' | 'supplier' | 'lists'> | null> {
  const { supplier, lists } = progress;
  if (await isRunOutdated(db, of)) return { step: 'append added rows', supplier, lists: null };
  const overtaken = await findOvertakenSupplier(db, record, of, progress);
  // The grouping of a list of prices and stock depends on its supplier, so another supplier repeats 'group items'.
  if (overtaken) {
    const step = overtaken.id === supplier.id ? 'find items' : 'group items';
    return { step, supplier: overtaken, lists: null };
  }
  return (await readLastEditId(db, record.id)) > progress.editsTo
    ? { step: 'apply edits', supplier, lists }
    : null;
}

async function makeCurrent(
  db: Db,
  record: ImportRecord,
  chunk: ChunkRecord,
  { progress, outcomes }: PreparedRun,
  step: FinalizeStep | null,
): Promise<void> {
  const list = await findListOfImport(db, record.id);
  const isLeft = list && list.supplier !== progress.supplier.id && list.state !== 'counted';
  const left = isLeft ? { supplier: list.supplier, number: list.number } : undefined;
  const carried = { command: null, undo: [], keepTo: await readNewestEditId(db) };
  await storeProgress(db, chunk, {
    ...progress,
    ...{ step, at: 0, carried },
    ...(left && { left }),
  });
  if (progress.supplier.id !== null && !record.test_mode) {
    const isAgain = record.rows_run !== chunk.run && record.supplier === progress.supplier.id;
    await storeCarriedTime(db, chunk, isAgain ? record.rows_run : null);
  }
  if (record.supplier !== null && record.supplier !== progress.supplier.id)
    await forgetValuesOfList(db, record);
  await changeImport(db, record.id, {
    rows_run: chunk.run,
    rows_removed_at: null,
    // Chunks counted each group of adjacent rows as a product, even if two groups belong to one product.
    processed_products: sql`total_products`,
    ...outcomes,
    ...(progress.offsets?.countedIn && { offsets_in: progress.offsets.countedIn }),
    ...(await assignSupplier(db, record, chunk, progress.supplier)),
  });
  await reopenColumnQuestions(db, chunk);
  await storeComparison(db, record.id, progress.compared);
  await dropReplacedTasks(db, record.id);
  await enqueueKeepItems(db, record.id);
  await enqueueRowRemoval(db, chunk, 'earlier');
}

async function beginEnriching(
  db: Db,
  record: ImportRecord,
  chunk: ChunkRecord,
  { progress, enrich, isLookedUp }: PreparedRun,
): Promise<void> {
  await changeImport(db, record.id, {
    ...(await readEditsKeptTo(db, record.id, progress.carried)),
    stage: enrich.length > 0 ? 'enrich' : 'parse',
    enrich_run: record.enrich_run + 1,
    enrich_rows: enrich.reduce((sum, range) => sum + range.enrichable, 0),
    enriched_rows: 0,
    open_chunks: enrich.length,
  });
  if (isLookedUp) await beginCoverage(db, chunk);
  if (enrich.length === 0) {
    await endProcessing(db, record.id);
    return;
  }
  const run = { import_id: record.id, stage: 'enrich' as const, run: record.enrich_run + 1 };
  await insertEnrichRun(db, run);
  const chunks = enrich.map(({ first_row, rows }) => ({ first_row, rows }));
  await insertWorkChunks(db, run, chunks);
}

export async function finalizeEnrich(db: Kysely<Schema>, chunk: ChunkRecord): Promise<true> {
  await analyzeGrownTables(db);
  await db.transaction().execute(async (trx) => {
    const record = await lockRunningImport(trx, chunk);
    if (await endRunOrFail(trx, record, chunk)) await endProcessing(trx, record.id);
  });
  return true;
}

/** Ends the processing of an import: its status becomes `processed` if every product is valid, else `queued`. */
async function endProcessing(db: Db, importId: string): Promise<void> {
  const ended = await moveStatus(db, importId, {
    from: ['processing'],
    to: toReviewStatus(await readImport(db, importId)),
    event: 'processed',
    set: { failed_in: null, error_message: null, completed_at: sql`now()` },
  });
  if (!ended) throw new Error(`Import ${importId} was not processing`);
  const rows = currentRows(ended);
  await enqueueCheckGuards(db, ended);
  await repeatCurrencyAnswer(db, ended);
  await applyUnaskedRecipes(db, ended);
  if (await hasWaitingImports(db, importId)) await enqueueTask(db, rows, 'find-in-imports');
  await enqueueLookups(db, ended);
  await enqueueRules(db, ended);
  await enqueueImageCheck(db, ended);
  await enqueueMatching(db, ended);
  await enqueueUpdateAdded(db, ended);
}
