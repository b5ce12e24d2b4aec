import type { Outcome } from '@draftshelf/domain/imports/outcome';
import { runningStatusOf } from '@draftshelf/domain/imports/stages';
import { groupingOf } from '@draftshelf/domain/products/grouping';
import { findOptionColumns } from '@draftshelf/domain/products/option-columns';
import type { Db } from '../../connection/database.ts';
import type { ChunkRecord, FinalizeProgress, FinalizeStep, SharedTitles } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { type EnrichRange, readEnrichRanges, splitIntoEnrichRanges } from '../../enrich/found-values.ts';
import { hasLookupAnswers } from '../../enrich/lookups.ts';
import { listActiveSources } from '../../enrich/sources.ts';
import { changeParseRun, findImport } from '../../imports/imports.ts';
import { applyEdits } from '../../reading/apply-edits.ts';
import {
  carryOffsets,
  carryOutcomes,
  countOutcomes,
  findRunOfOutcomes,
  isRunShown,
} from '../../reading/carry-over.ts';
import { readProgress, storeProgress } from '../../reading/finalize-progress.ts';
import {
  deleteRowJoins,
  insertRowJoins,
  markFirstRows,
  moveJoinedRows,
  readJoinedProducts,
} from '../../reading/join-groups.ts';
import { leaveOutRows } from '../../reading/leave-out-rows.ts';
import { createEmptySource, findOffsetSource } from '../../reading/offset-source.ts';
import { validateNextProducts } from '../../reading/validate-products.ts';
import { markDuplicates } from '../../review/duplicates.ts';
import { countProducts } from '../../review/product-rows.ts';
import { addToRunCounts, storeFacetCounts } from '../../review/row-facets.ts';
import { lockRows } from '../../review/rows-lock.ts';
import { findSharedTitles } from '../../review/shared-titles.ts';
import { planAddedRows, writeAddedRows } from '../../scanner/write-added-rows.ts';
import { carryValues } from '../../suppliers/carry-values.ts';
import { validateItems } from '../../suppliers/check-guards.ts';
import { findItems } from '../../suppliers/find-items.ts';
import { findSupplierOfRun, noSupplier } from '../../suppliers/find-supplier.ts';
import { keepValues } from '../../suppliers/keep-values.ts';
import { groupItems } from '../../suppliers/partial-rows.ts';
import { type PreparedBatch, type StepState, toStepProgress } from '../../suppliers/prepared-batch.ts';
import { proposeStatuses } from '../../suppliers/propose-statuses.ts';
import { countChunks } from '../chunks.ts';
import { lockHeldChunk } from '../claim-chunk.ts';
import { ImportNotRunning } from '../complete-chunk.ts';
import { type RunOfRows, readParseRun } from '../runs.ts';

export type PreparedRun = {
  progress: FinalizeProgress;
  enrich: EnrichRange[];
  isLookedUp: boolean;
  /** The import's outcome counters after a re-read has renumbered the products. Empty if the rows are current. */
  outcomes: Partial<Record<Outcome, number>>;
};

/** Time limit of a batch, which ends after the part that exceeds it. Edits and a stop wait for one batch at most. */
const batchMsMax = 300;

/**
 * Does one batch of the finalize in the caller's transaction: prepares the rows of a run to become current, or carries
 * values into current rows. Locks the import only to count changed rows. The progress is stored with the batch, so a
 * killed worker loses one batch at most. Returns 'unread' if parts of the file could not be read. Throws ChunkFenced,
 * and ImportNotRunning if the import was paused or cancelled.
 */
export async function prepareRun(db: Db, chunk: ChunkRecord): Promise<PreparedRun | 'unfinished' | 'unread'> {
  await lockHeldChunk(db, chunk);
  let progress: FinalizeProgress = { ...notBegun, ...(await readProgress(db, chunk)) };
  // 'find items' takes long and changes no row, so it runs without the rows lock, and edits need not wait for it.
  const isAlone = progress.step === 'find items';
  if (!isAlone) await lockRows(db, chunk.import_id);
  const record = await findImport(db, chunk.import_id);
  if (!record || record.status !== runningStatusOf('parse') || record.parse_run !== chunk.run) {
    throw new ImportNotRunning(chunk.import_id, 'parse');
  }
  const { undone, dead } = await countChunks(db, chunk);
  if (undone + dead > 0) return 'unread';
  if (progress.step === null) {
    const outcomes = record.rows_run === chunk.run ? {} : await countOutcomes(db, chunk);
    const isLookedUp =
      record.enable_upc && ((await listActiveSources(db)).length > 0 || (await hasLookupAnswers(db)));
    const enrich = isLookedUp ? splitIntoEnrichRanges(record.total_rows) : await readEnrichRanges(db, chunk);
    return { progress, outcomes, enrich, isLookedUp };
  }
  const until = performance.now() + batchMsMax;
  let isOver = false;
  while (progress.step !== null && !isOver && (progress.step === 'find items') === isAlone) {
    const { step } = progress;
    const { at, endsBatch = false, ...changes } = await steps[step]({ db, record, of: chunk, progress });
    const next = at === undefined ? { step: stepAfter(step), at: 0 } : { at };
    progress = { ...progress, ...changes, ...next };
    isOver = endsBatch || performance.now() >= until;
  }
  await storeProgress(db, chunk, progress);
  return 'unfinished';
}

/** The steps in order. Each call does the next part of a step. A step can be repeated together with all later steps. */
const steps: Record<FinalizeStep, (batch: PreparedBatch) => Promise<StepState>> = {
  'find supplier': findSupplierOfRun,
  'group items': groupItems,

  async 'find joins'({ db, of }) {
    await insertRowJoins(db, of);
    return {};
  },

  async 'move joined rows'({ db, of, progress }) {
    const last = await moveJoinedRows(db, of, progress.at);
    return last === null ? {} : { at: last };
  },

  async 'carry offsets'({ db, record, of, progress }) {
    const found = await findOffsetSource(db, record, of.run);
    if (!found && progress.offsets === null) return {};
    const { from, countedIn } = found ?? createEmptySource(record);
    const offsets = { import: from.import_id, run: from.run, countedIn };
    const isSame = progress.offsets?.import === offsets.import && progress.offsets.run === offsets.run;
    const at = isSame ? progress.at : 0;
    const last = await carryOffsets(db, { from, to: of, at });
    // If the source import was re-read meanwhile, its former rows may be gone. Run 0 means a lost source without rows.
    const isShown = from.run === 0 || (await isRunShown(db, from));
    return { offsets, ...(isShown ? toStepProgress(last, record) : { at }) };
  },

  'leave out rows': leaveOutRows,

  /** A part has fewer products if they have many rows. */
  async 'validate joined rows'({ db, of, progress }) {
    const products = await readJoinedProducts(db, of, progress.at);
    const { taken } = await validateNextProducts(db, of, products);
    const last = products[taken - 1];
    return last === undefined ? {} : { at: last };
  },

  async 'count products'({ db, of }) {
    if (!(await deleteRowJoins(db, of))) return {};
    await markFirstRows(db, of);
    const { total, valid, warning, error } = await countProducts(db, of);
    await storeFacetCounts(db, of);
    await changeParseRun(db, of, {
      ...{ total_products: total, valid_products: valid, warning_products: warning, error_products: error },
    });
    return { endsBatch: true };
  },

  async 'append added rows'({ db, record, of, progress }) {
    const plan = await planAddedRows(db, of, { after: progress.at });
    const { appended, ...counts } = await writeAddedRows(db, of, plan, {
      row: record.total_rows,
      product: record.product_numbers,
    });
    const endsBatch = await addToRunCounts(db, of, { ...counts, added: appended.length });
    return { ...(plan.lastOrdinal !== null && { at: plan.lastOrdinal }), endsBatch };
  },

  'find items': findItems,
  'validate items': validateItems,
  'propose statuses': proposeStatuses,

  async 'carry outcomes'({ db, record, of, progress }) {
    const from = record.rows_run === of.run ? null : await findRunOfOutcomes(db, record, of.run);
    if (from === null) return {};
    return toStepProgress(
      await carryOutcomes(db, { ...record, rows_run: from }, of.run, progress.at),
      record,
    );
  },

  'apply edits': applyEdits,

  async 'find duplicates'({ db, of }) {
    await addToRunCounts(db, of, { facets: await markDuplicates(db, of) });
    const shared = await sharedTitlesOf(db, of);
    await changeParseRun(db, of, { shared_titles: shared && storableJson(shared) });
    return { endsBatch: true };
  },

  'keep values': keepValues,
  'carry values': carryValues,
};

/** The first step that runs after the rows became current. */
export const firstStepOnCurrentRows = 'keep values' satisfies FinalizeStep;

const inOrder = Object.keys(steps) as FinalizeStep[];

function stepAfter(step: FinalizeStep): FinalizeStep | null {
  const next = inOrder[inOrder.indexOf(step) + 1] ?? null;
  return next === firstStepOnCurrentRows ? null : next;
}

const notBegun: FinalizeProgress = {
  step: inOrder[0] ?? null,
  at: 0,
  editsTo: 0,
  offsets: null,
  supplier: noSupplier,
  lists: null,
  earlier: null,
  carried: null,
  compared: null,
};

/** Returns products that share titles, and the columns that distinguish them. Null if none do, or if rows have keys. */
async function sharedTitlesOf(db: Db, of: RunOfRows): Promise<SharedTitles | null> {
  const { mapping, isPartial } = await readParseRun(db, of);
  const grouping = groupingOf(mapping);
  const hasKeys = grouping.kind === 'rows' && (grouping.byHandle || grouping.byParentSku || grouping.byTitle);
  if (isPartial || hasKeys) return null;
  const { rows, titles } = await findSharedTitles(db, of);
  const found = findOptionColumns(titles, mapping);
  if (found === null) return null;
  const sampled = titles.reduce((sum, ofTitle) => sum + ofTitle.length, 0);
  return { products: Math.round((rows * found.rows) / sampled), columns: found.columns };
}
