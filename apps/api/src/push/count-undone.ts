import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { undoSumsOf } from '@draftshelf/domain/push/undo-actions';

/** Products that have no outcome because the last push was undone: until the next push, or a re-read. */
export async function countUndone(db: Db, record: ImportRecord): Promise<number> {
  if (record.shop === null) return 0;
  const undo = await findPreview(db, record.id, 'undo');
  if (!undo?.ended_at || undo.run !== record.push_run) return 0;
  const { created, updated, unchanged, skipped, failed } = record;
  const without = record.total_products - created - updated - unchanged - skipped - failed;
  const done = undoSumsOf(undo.results).filter(({ action }) => action !== 'keep');
  return Math.max(
    0,
    Math.min(
      without,
      done.reduce((sum, { products }) => sum + products, 0),
    ),
  );
}
