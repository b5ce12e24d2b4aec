import type { Dialect } from '@draftshelf/csv/dialect';
import { canDo, importActions } from '@draftshelf/domain/import-status';
import { sql } from 'kysely';
import { enqueueSplit, insertWorkChunks } from '../chunks/chunks.ts';
import { markDone } from '../chunks/claim-chunk.ts';
import type { ChunkOfRun } from '../chunks/complete-chunk.ts';
import { completeParseRun, insertUnsplitRun, lastParseRun, type ParseRun } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import { type ActionDone, type ActionRefused, wrongStatus } from '../imports/import-actions.ts';
import { lockImport, moveStatus, nextVersion } from '../imports/imports.ts';
import { snapshotOf } from './reread-rollback.ts';

/**
 * Begins parse run + 1 over the stored file, in another dialect; edits are kept. The rows of the earlier run stay
 * current until the new run is finalized, and for good if it fails or is cancelled (reread-rollback.ts).
 */
export async function beginReread(db: Db, id: string, dialect: Dialect): Promise<ActionDone | ActionRefused> {
  const record = await lockImport(db, id);
  if (!record || !canDo('reread', record.status)) return wrongStatus;
  if (record.status === 'failed' && record.failed_in === 'push') return wrongStatus;
  const run = (await lastParseRun(db, id)) + 1;
  await insertUnsplitRun(db, id, run, { dialect, snapshot: snapshotOf(id) });
  const moved = await moveStatus(db, id, {
    from: importActions.reread,
    to: 'processing',
    set: {
      stage: 'parse',
      parse_run: run,
      open_chunks: 1,
      parsed_rows: 0,
      processed_products: 0,
      valid_products: 0,
      warning_products: 0,
      error_products: 0,
      enrich_rows: 0,
      enriched_rows: 0,
      marked_ready: false,
      failed_in: null,
      error_message: null,
      error_log: sql`'{}'`,
      error_count: 0,
      waiting_for: null,
      waiting_until: null,
      started_at: sql`now()`,
      completed_at: null,
    },
  });
  if (!moved) return wrongStatus;
  await enqueueSplit(db, { import_id: id, run });
  return { ok: true, import: moved };
}

/**
 * Completes a split chunk: stores what it found and inserts the run's work chunks, in the caller's transaction. The
 * import is locked before its run, as when a re-read is cancelled.
 */
export async function completeSplit(
  db: Db,
  chunk: ChunkOfRun,
  split: { parse: ParseRun; chunks: Parameters<typeof insertWorkChunks>[2]; rows: number; products: number },
): Promise<void> {
  await markDone(db, chunk);
  await db
    .updateTable('imports')
    .set({
      open_chunks: sql`open_chunks - 1 + ${split.chunks.length}`,
      total_rows: split.rows,
      total_products: split.products,
      product_numbers: split.products,
      waiting_for: null,
      waiting_until: null,
      version: nextVersion,
    })
    .where('id', '=', chunk.import_id)
    .where('parse_run', '=', chunk.run)
    .execute();
  await completeParseRun(db, chunk.import_id, chunk.run, split.parse);
  await insertWorkChunks(db, { import_id: chunk.import_id, stage: 'parse', run: chunk.run }, split.chunks);
}
