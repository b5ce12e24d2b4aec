import type { PinnedConnection } from '@draftshelf/core/connection/database';
import type { ChunkRecord } from '@draftshelf/core/connection/schema';
import { copyRows } from '@draftshelf/core/reading/copy-rows';
import { toChunkBounds } from '@draftshelf/core/reading/parse-chunks';
import { createFacetCounter, sumFacets } from '@draftshelf/core/review/row-facets';
import { markDone } from '@draftshelf/core/work/claim-chunk';
import { closeWorkChunk } from '@draftshelf/core/work/complete-chunk';
import { readParseRun } from '@draftshelf/core/work/runs';
import { chunkBytesMax } from '@draftshelf/csv/chunking/chunk-bounds';
import type { ReadLimits } from '@draftshelf/csv/limits';
import { scannedKey } from '@draftshelf/csv/object-keys';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { getRange } from '@draftshelf/object-storage/objects';
import type { PinnedWork } from '@draftshelf/queues/run-chunk';
import { type ChunkReading, readChunk } from '@draftshelf/reading/read-chunk';
import { throwChunkError } from './storage-errors.ts';

// Parses a chunk. Reads all bytes before its transaction, so that a worker that freezes while reading holds no locks.
export async function parseChunk(
  { chunk, import: record, connection }: PinnedWork,
  deps: { storage: ObjectStorage; limits: ReadLimits; memory: BufferPool },
): Promise<void> {
  const run = await readParseRun(connection.db, chunk);
  const key = scannedKey(record.object_key, run.dialect);
  const bounds = toChunkBounds(chunk);
  await deps.memory.lend(bounds.byteTo - bounds.byteFrom, async (memory) => {
    const bytes = await getRange(deps.storage, key, bounds.byteFrom, memory).catch(throwChunkError);
    await storeRows(connection, chunk, readChunk(bytes, bounds, run, deps.limits));
  });
}

async function storeRows({ db, client }: PinnedConnection, chunk: ChunkRecord, reading: ChunkReading) {
  await db.transaction().execute(async (trx) => {
    await markDone(trx, chunk);
    const facets = createFacetCounter();
    await copyRows(client, chunk, facets.passed(reading.rows()));
    const { rows, products, classes } = reading.totals();
    const counted = {
      parsed_rows: rows,
      processed_products: products,
      valid_products: classes.valid,
      warning_products: classes.warning,
      error_products: classes.error,
    };
    await closeWorkChunk(trx, chunk, counted, { facets: sumFacets(facets.facets()) });
  });
}

export type BufferPool = {
  lend<T>(bytes: number, use: (memory: Buffer) => Promise<T>): Promise<T>;
};

/** Returns a pool of reused buffers, because a buffer per chunk left 60 MB of garbage. Huge chunks get new buffers. */
export function createBufferPool(): BufferPool {
  const free: Buffer[] = [];
  return {
    async lend(bytes, use) {
      if (bytes > chunkBytesMax) return use(Buffer.allocUnsafeSlow(bytes));
      const memory = free.pop() ?? Buffer.allocUnsafeSlow(chunkBytesMax);
      try {
        return await use(memory.subarray(0, bytes));
      } finally {
        free.push(memory);
      }
    },
  };
}
