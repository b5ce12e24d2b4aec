import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { nextVersion } from '../imports/imports.ts';
import { insertWorkChunks } from './chunks.ts';
import { markDone } from './claim-chunk.ts';
import type { ChunkOfRun } from './complete-chunk.ts';
import { completeParseRun, type ParseRun } from './runs.ts';

/**
 * Completes a split chunk: stores what it found and inserts the run's work chunks, in the caller's transaction. The
 * import is locked before its run, as when a re-read is cancelled.
 */
export async function completeSplit(
  db: Db,
  chunk: ChunkOfRun,
  split: {
    parse: ParseRun;
    chunks: Parameters<typeof insertWorkChunks>[2];
    rows: number;
    products: number;
    productNumbers: number;
  },
): Promise<void> {
  await markDone(db, chunk);
  await db
    .updateTable('imports')
    .set({
      open_chunks: sql`open_chunks - 1 + ${split.chunks.length}`,
      total_rows: split.rows,
      total_products: split.products,
      product_numbers: split.productNumbers,
      waiting_for: null,
      waiting_until: null,
      version: nextVersion,
    })
    .where('id', '=', chunk.import_id)
    .where('parse_run', '=', chunk.run)
    .execute();
  await completeParseRun(db, chunk, split.parse);
  await insertWorkChunks(db, { import_id: chunk.import_id, stage: 'parse', run: chunk.run }, split.chunks);
}
