import type { Db } from '@draftshelf/database/connection/database';
import type { FinalizeProgress, ImportRecord } from '@draftshelf/database/connection/schema';
import type { RunOfRows } from '@draftshelf/database/work/runs';

/** The next part of preparing the run `of`. What it finds waits in `progress` until the run's rows are current. */
export type PreparedBatch = { db: Db; record: ImportRecord; of: RunOfRows; progress: FinalizeProgress };

/** Whether each row of the run is a product of its own. */
export const hasSingleRows = ({ record, progress }: Pick<PreparedBatch, 'record' | 'progress'>): boolean =>
  record.total_products === record.total_rows && !progress.joined;
