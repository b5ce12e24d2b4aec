import { runningStatusOf, type Stage } from '@draftshelf/domain/imports/stages';
import { sql, type UpdateObject } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow } from '../connection/query-rows.ts';
import type { ChunkRecord, ImportRecord, Schema } from '../connection/schema.ts';
import { appendErrors, lockImport, nextVersion } from '../imports/imports.ts';
import { enqueueFinalize, insertWorkChunks } from './chunks.ts';
import { markDead, markDone, type StartedChunk } from './claim-chunk.ts';
import { belongsToRun, completeParseRun, getRunColumn, type ParseRun } from './runs.ts';

/** Counters that a chunk adds to its run. */
export type ChunkProgress = Partial<
  Record<
    | 'parsed_rows'
    | 'processed_products'
    | 'valid_products'
    | 'warning_products'
    | 'error_products'
    | 'enriched_rows',
    number
  >
>;

export type ChunkOfRun = Pick<ChunkRecord, 'id' | 'publication' | 'claims' | 'import_id' | 'stage' | 'run'>;

/**
 * Adds the progress of a done work chunk to its run, and enqueues the finalize if no other chunk is open. Call it last
 * in a transaction, after markDone: chunks are locked before their import, and the import before its finalize chunk.
 * `set`: further changes of the parse run.
 */
export async function closeWorkChunk(
  db: Db,
  chunk: ChunkOfRun,
  progress: ChunkProgress,
  set: UpdateObject<Schema, 'runs'> = {},
): Promise<void> {
  const moved = Object.entries(progress).map(([column, by]) => [column, sql`${sql.ref(column)} + ${by}`]);
  await closeChunk(db, chunk, { ...Object.fromEntries(moved), ...set });
}

/** Marks a work chunk dead and adds its cause to the run's error log. The other chunks continue. */
export async function failChunk(db: Db, chunk: ChunkOfRun, place: string, cause: string): Promise<void> {
  await markDead(db, chunk, cause);
  await closeChunk(db, chunk, {
    error_log: appendErrors([`${place}: ${cause}`]),
    error_count: sql`error_count + 1`,
  });
}

/** Marks a chunk done and completes it, for a chunk that stores nothing else in this transaction. */
export async function completeChunk(db: Db, chunk: ChunkOfRun, progress: ChunkProgress): Promise<void> {
  await markDone(db, chunk);
  await closeWorkChunk(db, chunk, progress);
}

async function closeChunk(db: Db, chunk: ChunkOfRun, set: UpdateObject<Schema, 'runs'>): Promise<void> {
  const { import_id, stage, run } = chunk;
  const locked = await findRow<{ parse_run: number }>(db)`
    update imports set waiting_for = null, waiting_until = null, version = ${nextVersion}
    where id = ${import_id} and ${sql.ref(getRunColumn(stage))} = ${run} and ${isAtStage(stage)} returning parse_run`;
  if (!locked) return;
  const row = await db
    .updateTable('runs')
    .set({ ...set, open_chunks: sql`open_chunks - 1` })
    .where(belongsToRun({ import_id, stage: 'parse', run: locked.parse_run }))
    .where('import_stage', '=', stage)
    .returning('open_chunks')
    .executeTakeFirst();
  if (row?.open_chunks === 0) await enqueueFinalize(db, { import_id, stage, run });
}

const isAtStage = (stage: Stage) => sql<boolean>`exists (
  select from runs where import_id = imports.id and stage = 'parse' and run = parse_run and import_stage = ${stage})`;

/** Thrown to roll back, because the import was paused, cancelled or moved on while its chunk was processed. */
export class ImportNotRunning extends Error {
  constructor(importId: string, stage: Stage) {
    super(`Import ${importId} is not running its ${stage} stage`);
    this.name = 'ImportNotRunning';
  }
}

/**
 * Thrown to roll back, because a chunk needs results of other work. The chunk waits and is retried without counting an
 * attempt. `message`: a plain sentence for the operator.
 */
export class MustWait extends Error {
  override readonly name: string = 'MustWait';
}

/** Locks the import of a finalize chunk for this transaction. Throws ImportNotRunning. */
export async function lockRunningImport(db: Db, chunk: ChunkOfRun): Promise<ImportRecord> {
  const record = await lockImport(db, chunk.import_id);
  const isRunning =
    record?.status === runningStatusOf(chunk.stage) &&
    record.stage === chunk.stage &&
    record[getRunColumn(chunk.stage)] === chunk.run;
  if (!isRunning) throw new ImportNotRunning(chunk.import_id, chunk.stage);
  return record;
}

/** Stores why and until when an import waits, unless the import's stage was stopped or restarted since the claim. */
export async function storeWaitCause(
  db: Db,
  chunk: ChunkOfRun & Pick<StartedChunk, 'start'>,
  wait: { cause: string; until: Date },
): Promise<void> {
  await sql`
    update imports set waiting_for = ${wait.cause}, waiting_until = ${wait.until}, version = ${nextVersion}
    where id = ${chunk.import_id} and status = ${runningStatusOf(chunk.stage)} and ${isAtStage(chunk.stage)}
      and starts = ${chunk.start}`.execute(db);
}

/** Stores a split chunk's results and inserts the work chunks. Like a cancel, locks the import before the run. */
export async function completeSplit(
  db: Db,
  chunk: ChunkOfRun,
  split: {
    parse: ParseRun;
    chunks: Parameters<typeof insertWorkChunks>[2];
    rows: number;
    products: number;
    productNumbers: number;
  },
): Promise<void> {
  await markDone(db, chunk);
  await sql`
    update imports set waiting_for = null, waiting_until = null, version = ${nextVersion}
    where id = ${chunk.import_id} and parse_run = ${chunk.run}`.execute(db);
  await completeParseRun(db, chunk, split.parse, {
    open_chunks: sql`open_chunks - 1 + ${split.chunks.length}`,
    total_rows: split.rows,
    total_products: split.products,
    product_numbers: split.productNumbers,
  });
  await insertWorkChunks(db, { import_id: chunk.import_id, stage: 'parse', run: chunk.run }, split.chunks);
}
