import { heldSentences } from '@draftshelf/domain/push/auto-push';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { changeImport, createHoldColumns, moveStatus, readImport } from './imports.ts';

type ReviewFacts = Pick<ImportRecord, 'auto_mode' | 'marked_ready' | 'warning_products' | 'error_products'>;

/** Returns the status that follows from the counts. In mode `manual`, an import is `queued` until marked as ready. */
export function toReviewStatus(record: ReviewFacts): 'processed' | 'queued' {
  if (record.auto_mode === 'manual' && !record.marked_ready) return 'queued';
  return record.warning_products + record.error_products === 0 ? 'processed' : 'queued';
}

/** Updates an import's status after an edit, and clears 'Mark as Ready' and a planned push. */
export async function refreshReviewStatus(db: Db, id: string): Promise<ImportRecord> {
  const record = await readImport(db, id);
  const set = {
    ...(record.marked_ready ? { marked_ready: false } : {}),
    ...createHoldColumns(heldSentences.changed),
  };
  const to = toReviewStatus({ ...record, marked_ready: false });
  const moved = await moveStatus(db, id, { from: ['queued', 'processed', 'completed'], to, set });
  if (moved) return moved;
  await changeImport(db, id, set);
  return readImport(db, id);
}
