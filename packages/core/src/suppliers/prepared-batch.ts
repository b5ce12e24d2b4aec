import type { Db } from '../connection/database.ts';
import type { FinalizeProgress, ImportRecord } from '../connection/schema.ts';
import type { RunOfRows } from '../work/runs.ts';

/** What the next part of a step of preparing the run `of` reads. */
export type PreparedBatch = {
  db: Db;
  record: ImportRecord;
  of: RunOfRows;
  progress: Readonly<FinalizeProgress>;
};

/**
 * What a part of a step has changed of the progress. Counts go to the run at once; what belongs to the import waits in
 * the progress until the run's rows are current. `at`: where the step goes on; absent: it has ended. `isRunChanged`:
 * columns of the run have changed, so the batch ends: who has locked the import, such as a cancel, waits for its run.
 */
export type StepPart = Partial<Omit<FinalizeProgress, 'step'>> & { isRunChanged?: boolean };

/** A part of a step that goes over the rows and has done those up to `at`. */
export const doneUpTo = (at: number, { total_rows }: ImportRecord): StepPart =>
  at < total_rows ? { at } : {};

/** Whether each row of the run is a product of its own. */
export const hasSingleRows = ({ total_products, total_rows }: ImportRecord): boolean =>
  total_products === total_rows;
