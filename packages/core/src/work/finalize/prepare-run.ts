import { runningStatusOf } from '@draftshelf/domain/imports/stages';
import { groupingOf } from '@draftshelf/domain/products/grouping';
import { optionColumns } from '@draftshelf/domain/products/option-columns';
import type { Db } from '../../connection/database.ts';
import type {
  ChunkRecord,
  FinalizeProgress,
  FinalizeStep,
  ImportRecord,
  SharedTitles,
} from '../../connection/schema.ts';
import { allEnrichRanges, readEnrichRanges } from '../../enrich/found-values.ts';
import { hasAnswers } from '../../enrich/lookups.ts';
import { activeSources } from '../../enrich/sources.ts';
import { changeParseRun, findImport } from '../../imports/imports.ts';
import { applyEdits } from '../../reading/apply-edits.ts';
import {
  carryOffsets,
  carryOutcomes,
  carryOwnIds,
  countOutcomes,
  hasOutcomes,
  hasOwnIds,
  runOfOutcomes,
  showsRun,
} from '../../reading/carry-over.ts';
import { readProgress, storeProgress } from '../../reading/finalize-progress.ts';
import {
  deleteJoins,
  findJoins,
  markFirstRows,
  moveJoinedRows,
  readJoinedProducts,
} from '../../reading/join-groups.ts';
import { lostSource, offsetSourceOf } from '../../reading/offset-source.ts';
import { validateNextProducts } from '../../reading/validate-products.ts';
import { countEditsWithoutRow, lastEdit } from '../../review/commands/stored-edits.ts';
import { findDuplicates } from '../../review/duplicates.ts';
import { countProducts } from '../../review/product-counts.ts';
import { countFacets } from '../../review/row-facets.ts';
import { lockRows } from '../../review/rows-lock.ts';
import { findSharedTitles } from '../../review/shared-titles.ts';
import { planAddedRows, writeAddedRows } from '../../scanner/write-added-rows.ts';
import { carryValues } from '../../suppliers/carry-values.ts';
import { findItems } from '../../suppliers/find-items.ts';
import { findSupplier, nobody } from '../../suppliers/find-supplier.ts';
import { keepValues } from '../../suppliers/keep-values.ts';
import { groupItems } from '../../suppliers/partial-rows.ts';
import { countInRun, hasSingleRows, type PreparedBatch } from '../../suppliers/prepared-batch.ts';
import { proposeStatuses } from '../../suppliers/propose-statuses.ts';
import { validateItems } from '../../suppliers/validate-items.ts';
import { countChunks } from '../chunks.ts';
import { lockHeld } from '../claim-chunk.ts';
import { ImportNotRunning } from '../complete-chunk.ts';
import { currentRows, type RunOfRows, readParseRun, setSharedTitles } from '../runs.ts';

/** `progress` is null when parts of the file could not be read, so that there is nothing to prepare. */
export type PreparedRun = { progress: FinalizeProgress | null };

/** A batch ends with the part that crosses this limit. Edits and a stop wait for one batch at most. */
const batchMsMax = 300;

/**
 * Prepares the rows of a run to become current, one short batch of the work, in the caller's transaction. The progress
 * is stored with the batch, so a stopped or killed worker loses one batch at most. Does not lock the import. Throws
 * ChunkFenced, and ImportNotRunning when the import was paused or cancelled.
 */
export async function prepareRun(db: Db, chunk: ChunkRecord): Promise<PreparedRun | 'unfinished'> {
  await lockHeld(db, chunk);
  const progress = { ...notBegun(), ...(await readProgress(db, chunk)) };
  // It takes long and changes no row, so edits do not wait for it.
  const isAlone = progress.step === 'find items';
  if (!isAlone) await lockRows(db, chunk.import_id);
  const record = await findImport(db, chunk.import_id);
  if (!record || record.status !== runningStatusOf('parse') || record.parse_run !== chunk.run) {
    throw new ImportNotRunning(chunk.import_id, 'parse');
  }
  const { undone, dead } = await countChunks(db, chunk);
  if (undone + dead > 0) return { progress: null };
  const batch: PreparedBatch = { db, record, of: chunk, progress };
  const until = performance.now() + batchMsMax;
  while (batch.progress.step !== null && !batch.isChanged && performance.now() < until) {
    const { step } = batch.progress;
    if ((step === 'find items') !== isAlone) break;
    if (!(await steps[step](batch))) continue;
    const next = inOrder[inOrder.indexOf(step) + 1] ?? null;
    batch.progress = { ...batch.progress, step: next, at: 0 };
  }
  await storeProgress(db, chunk, batch.progress);
  return batch.progress.step === null ? { progress: batch.progress } : 'unfinished';
}

/** The steps in order. Each does its next part and returns whether the step has ended. */
const steps: Record<FinalizeStep, (batch: PreparedBatch) => Promise<boolean>> = {
  'find supplier': findSupplier,
  'group items': groupItems,

  async 'find joins'({ db, of, progress }) {
    progress.joined = (await findJoins(db, of)) > 0;
    return true;
  },

  async 'move joined rows'(batch) {
    return advanceTo(batch, await ifJoined(batch, moveJoinedRows));
  },

  async 'carry offsets'({ db, record, of, progress }) {
    const found = await offsetSourceOf(db, record, of.run);
    if (!found && progress.offsetsFromImport === null) return true;
    const source = found ?? lostSource(record);
    const { import_id, run } = source.from;
    if (progress.offsetsFromImport !== import_id || progress.offsetsFromRun !== run) {
      progress.at = 0;
      progress.offsetsFromImport = import_id;
      progress.offsetsFromRun = run;
      progress.offsetsIn = source.countedIn;
    }
    const last = await carryOffsets(db, { from: source.from, to: of, at: progress.at });
    // The other import may show another run by now, and these rows may be gone. A lost source never had any.
    if (source.from.run > 0 && !(await showsRun(db, source.from))) return false;
    progress.at = last;
    return last >= record.total_rows;
  },

  async 'validate joined rows'(batch) {
    return advanceTo(batch, await ifJoined(batch, validateJoinedProducts));
  },

  async 'count products'(batch) {
    const { db, of } = batch;
    if (!batch.progress.joined) return true;
    await markFirstRows(db, of);
    await deleteJoins(db, of);
    const { total, valid, warning, error } = await countProducts(db, of);
    await changeParseRun(db, of, {
      ...{ total_products: total, valid_products: valid, warning_products: warning, error_products: error },
    });
    batch.isChanged = true;
    return true;
  },

  async 'append added rows'(batch) {
    const { db, record, of, progress } = batch;
    const plan = await planAddedRows(db, of, { after: progress.at });
    const written = await writeAddedRows(db, of, plan, {
      row: record.total_rows,
      product: record.product_numbers,
    });
    await countInRun(batch, { ...written, added: written.appended.length });
    progress.at = plan.lastOrdinal ?? progress.at;
    return plan.lastOrdinal === null;
  },

  async 'carry own ids'({ db, record, of, progress }) {
    if (record.rows_run === of.run || !(await hasOwnIds(db, currentRows(record)))) return true;
    progress.at = await carryOwnIds(db, record, of.run, progress.at);
    return progress.at >= record.total_rows;
  },

  'find items': findItems,
  'validate items': validateItems,
  'keep values': keepValues,
  'carry values': carryValues,
  'propose statuses': proposeStatuses,

  async 'carry outcomes'({ db, record, of, progress }) {
    if (record.rows_run === of.run) return true;
    const from = await runOfOutcomes(db, record, of.run);
    if (from === undefined && !(await hasOutcomes(db, currentRows(record)))) return true;
    if (from !== undefined) {
      progress.at = await carryOutcomes(db, { ...record, rows_run: from }, of.run, progress.at);
      if (progress.at < record.total_rows) return false;
    }
    progress.outcomes = await countOutcomes(db, of);
    return true;
  },

  async 'apply edits'(batch) {
    const { db, record, of, progress } = batch;
    if (progress.at === 0) progress.editsUntil = await lastEdit(db, record.id);
    if (progress.editsUntil === progress.editsTo) return true;
    const edits = {
      after: progress.editsTo,
      until: progress.editsUntil,
      single: hasSingleRows(record),
    };
    const { at, ...counts } = await applyEdits(db, of, edits, progress.at);
    progress.at = at;
    const isEnd = at >= record.total_rows;
    const withoutRow = isEnd ? await countEditsWithoutRow(db, of) : 0;
    await countInRun(batch, counts);
    if (!isEnd) return false;
    progress.editsTo = progress.editsUntil;
    await changeParseRun(db, of, { edits_without_row: withoutRow });
    batch.isChanged = true;
    return true;
  },

  async 'find duplicates'(batch) {
    const { db, of, progress } = batch;
    const isChanged = await findDuplicates(db, of);
    const shared = await sharedTitlesOf(db, of);
    if (progress.joined || isChanged) await countFacets(db, of);
    await setSharedTitles(db, of, shared);
    batch.isChanged = true;
    return true;
  },

  async 'plan enrichment'({ db, record, of, progress }) {
    progress.lookedUp = await isLookedUp(db, record);
    progress.enrich = progress.lookedUp ? allEnrichRanges(record.total_rows) : await readEnrichRanges(db, of);
    return true;
  },
};

/** Products that share a title, if columns tell them apart. In grouped files, keys say what belongs together. */
async function sharedTitlesOf(db: Db, of: RunOfRows): Promise<SharedTitles | null> {
  const { mapping, isPartial } = await readParseRun(db, of);
  if (isPartial || groupingOf(mapping).kind === 'rows') return null;
  const { rows, titles } = await findSharedTitles(db, of);
  const found = optionColumns(titles, mapping);
  if (found === null) return null;
  const sampled = titles.reduce((sum, ofTitle) => sum + ofTitle.length, 0);
  return { products: Math.round((rows * found.rows) / sampled), columns: found.columns };
}

/** Whether look-ups could add anything: an active source or a cached answer exists. */
async function isLookedUp(db: Db, { enable_upc }: ImportRecord): Promise<boolean> {
  return enable_upc && ((await activeSources(db)).length > 0 || (await hasAnswers(db)));
}

const inOrder = Object.keys(steps) as FinalizeStep[];

/** The progress before the first batch. */
function notBegun(): FinalizeProgress {
  return {
    step: inOrder[0] ?? null,
    at: 0,
    joined: false,
    editsTo: 0,
    editsUntil: 0,
    outcomes: null,
    offsetsIn: null,
    offsetsFromImport: null,
    offsetsFromRun: 0,
    enrich: [],
    lookedUp: false,
    supplier: nobody,
    lists: 0,
    earlier: null,
    carried: { command: null, undo: null },
    carriedTo: null,
    compared: null,
  };
}

type JoinPart = (db: Db, of: RunOfRows, at: number) => Promise<number | null>;

async function ifJoined({ db, of, progress }: PreparedBatch, part: JoinPart): Promise<number | null> {
  return progress.joined ? part(db, of, progress.at) : null;
}

/**
 * Validates the next joined products after number `at`, each as one product. A batch takes as many as it has room for,
 * by their rows. Returns the last one, or null when there are no more.
 */
async function validateJoinedProducts(db: Db, of: RunOfRows, at: number): Promise<number | null> {
  const products = await readJoinedProducts(db, of, at);
  const { taken } = await validateNextProducts(db, of, products);
  return products[taken - 1] ?? null;
}

function advanceTo({ progress }: PreparedBatch, last: number | null): boolean {
  if (last === null) return true;
  progress.at = last;
  return false;
}
