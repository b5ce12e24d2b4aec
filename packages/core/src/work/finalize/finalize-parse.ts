import { type Kysely, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ChunkRecord, FinalizeProgress, ImportRecord, Schema } from '../../connection/schema.ts';
import { beginCoverage } from '../../enrich/coverage.ts';
import { enqueueImageCheck, enqueueLookups } from '../../enrich/lookups/enqueue-lookups.ts';
import { enqueueMatching } from '../../enrich/pictures/enqueue-matching.ts';
import { enqueueRules } from '../../enrich/rules/enqueue-rules.ts';
import { changeImport, findImport, moveStatus } from '../../imports/imports.ts';
import { statusByCounts } from '../../imports/review-status.ts';
import { answerAsBefore } from '../../push/pushed-before.ts';
import { storeProgress } from '../../reading/finalize-progress.ts';
import { settleAnswers } from '../../reading/settle-answers.ts';
import { lastEdit } from '../../review/commands/stored-edits.ts';
import { removeReplacedOfSupplier } from '../../review/proposals/proposals.ts';
import { enqueueRowRemoval } from '../../review/remove-rows.ts';
import { hasWaitingImports } from '../../review/row-matches.ts';
import { analyzeGrown } from '../../review/vacuum.ts';
import { isBehind } from '../../scanner/run-added-rows.ts';
import { enqueueAddedRows } from '../../scanner/update-added-rows.ts';
import { forgetValues, lockCarriedValues, lockLists, settleReread } from '../../suppliers/carried-values.ts';
import { enqueueGuards } from '../../suppliers/check-guards.ts';
import { enqueueKeepItems } from '../../suppliers/keep-items.ts';
import { findListOf, storeComparison } from '../../suppliers/lists.ts';
import { repeatAlways } from '../../suppliers/recipes/answer-recipes.ts';
import { findOvertaken, settleSupplier } from '../../suppliers/settle-supplier.ts';
import { insertWorkChunks } from '../chunks.ts';
import { lockRunning } from '../complete-chunk.ts';
import { currentRows, insertEnrichRun } from '../runs.ts';
import { dropReplacedTasks, enqueueTask } from '../tasks.ts';
import { endRunOrFail } from './end-run-or-fail.ts';
import { type PreparedRun, prepareRun } from './prepare-run.ts';

/**
 * Does the next part of the last step of a parse run; returns whether the step has ended. Most of it prepares the run's
 * rows without locking the import (prepare-run.ts). The last transaction locks the import and makes the rows current,
 * or ends the run with the causes of its failure.
 */
export async function finalizeParse(db: Kysely<Schema>, chunk: ChunkRecord): Promise<boolean> {
  await analyzeGrown(db);
  const prepared = await db.transaction().execute((trx) => prepareRun(trx, chunk));
  if (prepared === 'unfinished') return false;
  return db.transaction().execute(async (trx) => {
    if (prepared.progress && chunk.run > 1) await lockValuesOf(trx, chunk.import_id, prepared.progress);
    return endParse(trx, chunk, prepared);
  });
}

/** Locks what a re-read changes with its import: the values of its supplier, and of the one that it leaves. */
async function lockValuesOf(db: Db, importId: string, { supplier }: FinalizeProgress): Promise<void> {
  const former = (await findImport(db, importId))?.supplier ?? null;
  await lockCarriedValues(
    db,
    [former, supplier.id].filter((id) => id !== null),
  );
  if (former !== null && former !== supplier.id) await lockLists(db, former, importId);
}

async function endParse(db: Db, chunk: ChunkRecord, prepared: PreparedRun): Promise<boolean> {
  const record = await lockRunning(db, chunk);
  if (prepared.progress && (await isBehind(db, chunk))) {
    // Products were added or changed after the step had passed. The steps behind it are repeated for their rows.
    await storeProgress(db, chunk, { ...prepared.progress, step: 'append added rows', at: 0 });
    return false;
  }
  if (prepared.progress && (await lastEdit(db, record.id)) > prepared.progress.editsTo) {
    // Edits were made while the import was paused. Apply them like the earlier ones.
    await storeProgress(db, chunk, { ...prepared.progress, step: 'apply edits', at: 0 });
    return false;
  }
  const overtaken = prepared.progress && (await findOvertaken(db, record, chunk, prepared.progress));
  if (prepared.progress && overtaken) {
    await storeProgress(db, chunk, { ...prepared.progress, supplier: overtaken, step: 'find items', at: 0 });
    return false;
  }
  if (!(await endRunOrFail(db, record, chunk))) return true;
  if (!prepared.progress) throw new Error(`Run ${chunk.run} of import ${record.id} was not prepared`);
  await makeCurrent(db, record, chunk, prepared.progress);
  return true;
}

async function makeCurrent(
  db: Db,
  record: ImportRecord,
  chunk: ChunkRecord,
  progress: FinalizeProgress,
): Promise<void> {
  const { enrich } = progress;
  const left = await findListOf(db, record.id);
  if (left && left.supplier !== progress.supplier.id && left.state !== 'counted') {
    const { supplier, number } = left;
    await storeProgress(db, chunk, { ...progress, left: { supplier, number } });
  }
  if (record.supplier !== null && record.supplier !== progress.supplier.id) await forgetValues(db, record);
  if (progress.supplier.id !== null) await settleReread(db, progress.supplier.id, record.id);
  await changeImport(db, record.id, {
    rows_run: chunk.run,
    rows_removed_at: null,
    // The chunks have counted products of adjacent rows.
    processed_products: sql`total_products`,
    // Carried values are kept already.
    ...(progress.carriedTo === null ? {} : { edits_kept_to: progress.carriedTo }),
    ...progress.outcomes,
    ...(progress.offsetsIn === null ? {} : { offsets_in: progress.offsetsIn }),
    ...(await settleSupplier(db, record, chunk, progress.supplier)),
    stage: enrich.length > 0 ? 'enrich' : 'parse',
    enrich_run: record.enrich_run + 1,
    enrich_rows: enrich.reduce((sum, range) => sum + range.enrichable, 0),
    enriched_rows: 0,
    open_chunks: enrich.length,
  });
  await settleAnswers(db, chunk);
  await storeComparison(db, record.id, progress.compared);
  if (chunk.run > 1) await removeReplacedOfSupplier(db, record.id);
  await dropReplacedTasks(db, record.id);
  await enqueueKeepItems(db, record.id);
  await enqueueRowRemoval(db, chunk, 'earlier');
  if (progress.lookedUp) await beginCoverage(db, chunk);
  if (enrich.length === 0) {
    await endProcessing(db, record.id);
    return;
  }
  const run = { import_id: record.id, stage: 'enrich' as const, run: record.enrich_run + 1 };
  await insertEnrichRun(db, run);
  const chunks = enrich.map(({ first_row, rows }) => ({ first_row, rows }));
  await insertWorkChunks(db, run, chunks);
}

/** Ends the processing of an import: `processed` when every product is valid, else `queued`. */
export async function endProcessing(db: Db, importId: string): Promise<void> {
  const ended = await moveStatus(db, importId, {
    from: ['processing'],
    to: await statusByCounts(db, importId),
    event: 'processed',
    set: {
      failed_in: null,
      error_message: null,
      waiting_for: null,
      waiting_until: null,
      completed_at: sql`now()`,
    },
  });
  if (!ended) throw new Error(`Import ${importId} was not processing`);
  const rows = currentRows(ended);
  await enqueueGuards(db, ended);
  await answerAsBefore(db, ended);
  await repeatAlways(db, ended);
  if (await hasWaitingImports(db, importId)) await enqueueTask(db, rows, 'find-in-imports');
  await enqueueLookups(db, ended);
  await enqueueRules(db, ended);
  await enqueueImageCheck(db, ended);
  await enqueueMatching(db, ended);
  await enqueueAddedRows(db, ended);
}
