import { runningStatusOf } from '@draftshelf/domain/import-status';
import { rowClasses } from '@draftshelf/domain/row-rule';
import { sql } from 'kysely';
import { countChunks } from '../chunks/chunks.ts';
import { lockHeld } from '../chunks/claim-chunk.ts';
import { ImportNotRunning } from '../chunks/complete-chunk.ts';
import { ofRun } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import { findImport } from '../imports/imports.ts';
import { countProducts } from '../imports/product-counts.ts';
import { countFacets, moveDuplicates } from '../rows/row-facets.ts';
import { lockRows } from '../rows/rows-lock.ts';
import type { ChunkRecord, ImportRecord } from '../schema.ts';
import { applyEdits, countEditsWithoutRow, lastEdit } from './apply-edits.ts';
import {
  carryOffsets,
  carryOutcomes,
  carryOwnIds,
  countOutcomes,
  hasOutcomes,
  hasOwnIds,
  offsetSourceOf,
  showsRun,
} from './carry-over.ts';
import { findDuplicates } from './duplicates.ts';
import {
  type EnrichRange,
  type FinalizeProgress,
  type FinalizeStep,
  finalizeNotBegun,
  finalizeSteps,
} from './finalize-progress.ts';
import { deleteJoins, findJoins, moveJoinedRows, validateJoinedProducts } from './join-groups.ts';

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
  await lockRows(db, chunk.import_id);
  const record = await findImport(db, chunk.import_id);
  if (!record || record.status !== runningStatusOf('parse') || record.parse_run !== chunk.run) {
    throw new ImportNotRunning(chunk.import_id, 'parse');
  }
  const { undone, dead } = await countChunks(db, chunk);
  if (undone + dead > 0) return { progress: null };
  const batch: Batch = { db, record, run: chunk.run, progress: await readProgress(db, chunk) };
  const until = performance.now() + batchMsMax;
  while (batch.progress.step !== null && performance.now() < until) {
    const { step } = batch.progress;
    if (!(await steps[step](batch))) continue;
    const next = finalizeSteps[finalizeSteps.indexOf(step) + 1] ?? null;
    batch.progress = { ...batch.progress, step: next, at: 0 };
  }
  await storeProgress(db, chunk, batch.progress);
  return batch.progress.step === null ? { progress: batch.progress } : 'unfinished';
}

async function readProgress(db: Db, chunk: ChunkRecord): Promise<FinalizeProgress> {
  const row = await db.selectFrom('runs').select('finalize').where(ofRun(chunk)).executeTakeFirst();
  return row?.finalize ?? finalizeNotBegun();
}

/** Stores the progress of finalizing a run. */
export async function storeProgress(db: Db, chunk: ChunkRecord, progress: FinalizeProgress): Promise<void> {
  await db
    .updateTable('runs')
    .set({ finalize: JSON.stringify(progress) })
    .where(ofRun(chunk))
    .execute();
}

type Batch = { db: Db; record: ImportRecord; run: number; progress: FinalizeProgress };

/** Each does the next part of its step and returns whether the step has ended. */
const steps: Record<FinalizeStep, (batch: Batch) => Promise<boolean>> = {
  async 'find joins'({ db, record, run, progress }) {
    progress.joined = (await findJoins(db, { import_id: record.id, run })) > 0;
    return true;
  },

  async 'move joined rows'(batch) {
    return advanceTo(batch, await ifJoined(batch, moveJoinedRows));
  },

  async 'validate joined rows'(batch) {
    return advanceTo(batch, await ifJoined(batch, validateJoinedProducts));
  },

  async 'count products'({ db, record, run, progress }) {
    if (!progress.joined) return true;
    const counted = await countProducts(db, { import_id: record.id, run });
    progress.products.total = counted.total - record.total_products;
    for (const name of rowClasses) {
      progress.products[name] = counted[name] - record[`${name}_products`];
    }
    await deleteJoins(db, { import_id: record.id, run });
    return true;
  },

  async 'carry offsets'({ db, record, run, progress }) {
    const source = await offsetSourceOf(db, record, run);
    if (!source) return true;
    if (progress.offsetsFromRun !== source.from.run) {
      progress.at = 0;
      progress.offsetsFromRun = source.from.run;
      progress.offsetsIn = source.countedIn;
    }
    const to = { id: record.id, run };
    const last = await carryOffsets(db, { from: source.from, to, at: progress.at });
    // The other import may show another run by now, and these rows may be gone.
    if (!(await showsRun(db, source.from))) return false;
    progress.at = last;
    return last >= record.total_rows;
  },

  async 'carry own ids'({ db, record, run, progress }) {
    if (record.rows_run === run || !(await hasOwnIds(db, record))) return true;
    progress.at = await carryOwnIds(db, record, run, progress.at);
    return progress.at >= record.total_rows;
  },

  async 'carry outcomes'({ db, record, run, progress }) {
    if (record.rows_run === run || !(await hasOutcomes(db, record))) return true;
    progress.at = await carryOutcomes(db, record, run, progress.at);
    if (progress.at < record.total_rows) return false;
    progress.outcomes = await countOutcomes(db, record.id, run);
    return true;
  },

  async 'apply edits'({ db, record, run, progress }) {
    const ofNewRun = { id: record.id, rows_run: run };
    if (progress.at === 0) progress.editsUntil = await lastEdit(db, record.id);
    if (progress.editsUntil === progress.editsTo) return true;
    const edits = {
      after: progress.editsTo,
      until: progress.editsUntil,
      single: record.total_products === record.total_rows && !progress.joined,
    };
    const { at, classes } = await applyEdits(db, ofNewRun, edits, progress.at);
    progress.at = at;
    for (const name of rowClasses) progress.products[name] += classes[name];
    if (at < record.total_rows) return false;
    progress.editsTo = progress.editsUntil;
    progress.editsWithoutRow = await countEditsWithoutRow(db, ofNewRun);
    return true;
  },

  async 'find duplicates'({ db, record, run, progress }) {
    const of = { import_id: record.id, run };
    const { found, before } = await findDuplicates(db, of);
    if (progress.joined || before > 0) await countFacets(db, of);
    else if (found > 0) await moveDuplicates(db, of);
    return true;
  },

  async 'plan enrichment'({ db, record, run, progress }) {
    progress.enrich = await enrichRanges(db, record.id, run);
    return true;
  },
};

type JoinPart = (db: Db, of: { import_id: string; run: number }, at: number) => Promise<number | null>;

async function ifJoined({ db, record, run, progress }: Batch, part: JoinPart): Promise<number | null> {
  return progress.joined ? part(db, { import_id: record.id, run }, progress.at) : null;
}

function advanceTo({ progress }: Batch, last: number | null): boolean {
  if (last === null) return true;
  progress.at = last;
  return false;
}

const enrichRowsPerChunk = 5_000;

/** Row ranges of a run, with the number of rows in each that lack something enrichment could find. */
async function enrichRanges(db: Db, importId: string, run: number): Promise<EnrichRange[]> {
  const { rows } = await sql<EnrichRange>`
    select min(row) as first_row, max(row) - min(row) + 1 as rows, count(*)::int as enrichable
    from rows where import_id = ${importId} and run = ${run} and enrichable
    group by row / ${sql.lit(enrichRowsPerChunk)} order by 1`.execute(db);
  return rows;
}
