import type { Outcome } from '@draftshelf/domain/outcome';
import type { RowClass } from '@draftshelf/domain/row-rule';
import { ofRun } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import { storableJson } from '../connection/storable-json.ts';
import type { ChunkRecord } from '../schema.ts';

/** The steps of finalizing a parse run before the run becomes current. */
export type FinalizeStep =
  | 'find joins'
  | 'move joined rows'
  | 'carry offsets'
  | 'validate joined rows'
  | 'count products'
  | 'carry own ids'
  | 'carry outcomes'
  | 'apply edits'
  | 'find duplicates'
  | 'plan enrichment';

/** A row range for one enrich chunk; `enrichable` of its rows lack something enrichment could find. */
export type EnrichRange = { first_row: number; rows: number; enrichable: number };

/**
 * The progress of finalizing a parse run. It is stored with every batch, so a stopped or killed worker loses one batch
 * at most. Values for the import wait here until the run becomes current.
 */
export type FinalizeProgress = {
  /** The next step; null when the run can become current. */
  step: FinalizeStep | null;
  /** The last row or product number that the step has done. */
  at: number;
  /** Whether rows of one product were apart in the file and have been joined. */
  joined: boolean;
  /** Edits up to this id are applied to the rows. */
  editsTo: number;
  /** The step applies edits up to this id. */
  editsUntil: number;
  editsWithoutRow: number;
  /** Differences for the import's product counters. */
  products: Record<RowClass | 'total', number>;
  /** The counters of outcomes, when a re-read has renumbered their products. */
  outcomes: Record<Outcome, number> | null;
  /** The new imports.offsets_in, when offsets came from another import of the same file. */
  offsetsIn: string | null;
  /** The parse run whose offsets are being carried over. */
  offsetsFromRun: number;
  enrich: EnrichRange[];
  /** Whether the products are looked up by their GTINs. */
  lookedUp: boolean;
};

/** The stored progress of finalizing the run of a chunk, or null when it has not begun. */
export async function readProgress(db: Db, chunk: ChunkRecord): Promise<FinalizeProgress | null> {
  const row = await db.selectFrom('runs').select('finalize').where(ofRun(chunk)).executeTakeFirst();
  return row?.finalize ?? null;
}

/** Stores the progress of finalizing a run. */
export async function storeProgress(db: Db, chunk: ChunkRecord, progress: FinalizeProgress): Promise<void> {
  await db
    .updateTable('runs')
    .set({ finalize: storableJson(progress) })
    .where(ofRun(chunk))
    .execute();
}
