import { markDone } from '@draftshelf/database/chunks/claim-chunk';
import { addProgress } from '@draftshelf/database/chunks/complete-chunk';
import { insertFoundValues, readEnrichableRows } from '@draftshelf/database/enrich/found-values';
import type { ChunkWork } from '@draftshelf/queues/run-chunk';
import { findInRow } from './find-in-row.ts';

/** Finds values for a range of rows and stores them with their source. The rows themselves do not change. */
export async function enrichChunk({ chunk, import: record, connection }: ChunkWork): Promise<void> {
  const rows = await readEnrichableRows(connection.db, {
    importId: record.id,
    run: record.rows_run,
    firstRow: chunk.first_row ?? 0,
    rows: chunk.rows ?? 0,
  });
  const found = rows.flatMap(findInRow);
  await connection.db.transaction().execute(async (trx) => {
    await markDone(trx, chunk);
    await insertFoundValues(trx, { importId: record.id, run: record.rows_run }, found);
    await addProgress(trx, chunk, { enriched_rows: rows.length });
  });
}
