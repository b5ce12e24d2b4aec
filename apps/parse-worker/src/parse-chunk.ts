import type { ReadLimits } from '@draftshelf/csv/limits';
import { scannedKey } from '@draftshelf/csv/transcript';
import { markDone } from '@draftshelf/database/claims';
import { copyRows } from '@draftshelf/database/copy-rows';
import { handOver } from '@draftshelf/database/hand-over';
import { facetCounter, moveFacets } from '@draftshelf/database/row-facets';
import { readParseRun } from '@draftshelf/database/runs';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { getRange } from '@draftshelf/object-storage/objects';
import type { ChunkWork } from '@draftshelf/queues/run-chunk';
import { readChunk } from './read-chunk.ts';
import { asChunkError } from './storage-errors.ts';

/**
 * Bytes m..n of the file → rows. All bytes are held before the transaction begins, so that a stopped worker never
 * holds a lock while it waits for storage.
 */
export async function parseChunk(
  { chunk, import: record, connection }: ChunkWork,
  deps: { storage: ObjectStorage; limits: ReadLimits },
): Promise<void> {
  const run = await readParseRun(connection.db, record.id, chunk.run);
  const key = scannedKey(record.object_key, run.dialect.encoding);
  const bytes = await readBytes(deps.storage, key, chunk.byte_from ?? 0, chunk.byte_to ?? 0);
  const reading = readChunk(bytes, chunk, run, deps.limits);
  await connection.db.transaction().execute(async (trx) => {
    await markDone(trx, chunk);
    const counter = facetCounter();
    const counted = counter.counted(reading.rows());
    await copyRows(connection.client, { importId: record.id, run: chunk.run }, counted);
    const { rows, products, classes } = reading.totals();
    await handOver(trx, chunk, {
      parsed_rows: rows,
      processed_products: products,
      valid_products: classes.valid,
      warning_products: classes.warning,
      error_products: classes.error,
    });
    await moveFacets(trx, chunk, counter.facets());
  });
}

async function readBytes(storage: ObjectStorage, key: string, from: number, to: number): Promise<Buffer> {
  try {
    return await getRange(storage, key, from, to - from);
  } catch (error) {
    throw asChunkError(error);
  }
}
