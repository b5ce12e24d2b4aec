import type { Db } from '@draftshelf/database/connection/database';
import { changeImport, findImport, moveStatus } from '@draftshelf/database/imports/imports';
import type { ImportRecord } from '@draftshelf/database/schema';

type ClassCounts = Pick<ImportRecord, 'warning_products' | 'error_products'>;

/** The status of a processed import by its counts: `processed` when every product is valid, else `queued`. */
export function statusOf({ warning_products, error_products }: ClassCounts): 'processed' | 'queued' {
  return warning_products + error_products === 0 ? 'processed' : 'queued';
}

/** Like statusOf, by the stored counts. */
export async function statusByCounts(db: Db, id: string): Promise<'processed' | 'queued'> {
  const record = await findImport(db, id);
  if (!record) throw new Error(`Import ${id} does not exist`);
  return statusOf(record);
}

/** Updates the status after an edit: a reviewable import gets the status of its counts, and 'Mark as Ready' ends. */
export async function refreshReviewStatus(db: Db, id: string): Promise<ImportRecord | undefined> {
  await changeImport(db, id, { marked_ready: false });
  return moveStatus(db, id, {
    from: ['queued', 'processed', 'completed'],
    to: await statusByCounts(db, id),
  });
}
