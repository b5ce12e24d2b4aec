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
 * Progress changed by a part of a step. Counts go to the run at once; the import's columns wait until the run is
 * current. `at`: where the step continues; absent: it has ended. `endsBatch`: the run was updated or another import
 * locked: whoever has locked the import, such as a cancel, waits for its run, and operators for the other import.
 */
export type StepPart = Partial<Omit<FinalizeProgress, 'step'>> & { endsBatch?: boolean };

/** Progress of a step that has done the rows up to `at`. */
export const doneUpTo = (at: number, { total_rows }: ImportRecord): StepPart =>
  at < total_rows ? { at } : {};
