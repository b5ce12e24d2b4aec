import type { Db } from '../connection/database.ts';
import type { FinalizeProgress, ImportRecord } from '../connection/schema.ts';
import type { RunOfRows } from '../work/runs.ts';

export type PreparedBatch = {
  db: Db;
  record: ImportRecord;
  of: RunOfRows;
  progress: Readonly<FinalizeProgress>;
};

/**
 * Progress changed by a part of a step. `at`: where the step continues, or absent if the step has ended. `endsBatch`:
 * the transaction must end, because a cancellation waits for the updated run, or operators wait for another import
 * that is locked. Counts are stored in the run at once, the import's columns when the run becomes current.
 */
export type StepState = Partial<Omit<FinalizeProgress, 'step'>> & { endsBatch?: boolean };

/** Returns the progress of a step that has processed the rows up to `at`. */
export const toStepProgress = (at: number, { total_rows }: ImportRecord): StepState =>
  at < total_rows ? { at } : {};
