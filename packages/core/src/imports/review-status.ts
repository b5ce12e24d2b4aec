import { heldSentences } from '@draftshelf/domain/push/auto-push';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { changeImport, findImport, heldBack, moveStatus } from './imports.ts';

type ReviewFacts = Pick<ImportRecord, 'auto_mode' | 'marked_ready' | 'warning_products' | 'error_products'>;

/**
 * The status of a processed import: `processed` when every product is valid, else `queued`. One that arrived in a
 * watched folder under the mode `manual` is `queued` until an operator marks it as ready.
 */
export function statusOf(record: ReviewFacts): 'processed' | 'queued' {
  if (record.auto_mode === 'manual' && !record.marked_ready) return 'queued';
  return record.warning_products + record.error_products === 0 ? 'processed' : 'queued';
}

/** Like statusOf, by the stored values. */
export async function statusByCounts(db: Db, id: string): Promise<'processed' | 'queued'> {
  const record = await findImport(db, id);
  if (!record) throw new Error(`Import ${id} does not exist`);
  return statusOf(record);
}

/**
 * Updates the status after an edit: a reviewable import gets the status of its counts, and 'Mark as Ready' and a
 * planned push end.
 */
export async function refreshReviewStatus(db: Db, id: string): Promise<ImportRecord | undefined> {
  await changeImport(db, id, { marked_ready: false, ...heldBack(heldSentences.changed) });
  return moveStatus(db, id, {
    from: ['queued', 'processed', 'completed'],
    to: await statusByCounts(db, id),
  });
}
