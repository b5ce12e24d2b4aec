import type { Db } from '../connection/database.ts';
import type { FinalizeProgress, ImportRecord } from '../connection/schema.ts';
import type { RunOfRows } from '../work/runs.ts';

/** The next part of preparing the run `of`. What it finds waits in `progress` until the run's rows are current. */
export type PreparedBatch = { db: Db; record: ImportRecord; of: RunOfRows; progress: FinalizeProgress };

/** Whether each row of the run is a product of its own. */
export const hasSingleRows = ({ record, progress }: Pick<PreparedBatch, 'record' | 'progress'>): boolean =>
  record.total_products === record.total_rows && !progress.joined;
