import type { Db } from '../connection/database.ts';
import type { FinalizeProgress, ImportRecord } from '../connection/schema.ts';
import { type CountChanges, moveRunCounts } from '../review/row-facets.ts';
import type { RunOfRows } from '../work/runs.ts';

/**
 * The next part of preparing the run `of`. Counts go to the run at once; what belongs to the import waits in `progress`
 * until the run's rows are current. `isChanged`: columns of the run have changed, so the batch ends: who has locked the
 * import, such as a cancel, waits for its run.
 */
export type PreparedBatch = {
  db: Db;
  record: ImportRecord;
  of: RunOfRows;
  progress: FinalizeProgress;
  isChanged?: boolean;
};

/** Adds to what the run has counted. */
export async function countInRun(batch: PreparedBatch, changes: CountChanges): Promise<void> {
  if (await moveRunCounts(batch.db, batch.of, changes)) batch.isChanged = true;
}

/** Whether each row of the run is a product of its own. */
export const hasSingleRows = ({ total_products, total_rows }: ImportRecord): boolean =>
  total_products === total_rows;
