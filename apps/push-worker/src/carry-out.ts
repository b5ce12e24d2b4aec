import type { ChunkRecord } from '@draftshelf/core/connection/schema';
import { lockHeldChunk } from '@draftshelf/core/work/claim-chunk';
import { completeChunk } from '@draftshelf/core/work/complete-chunk';
import { PublishStopped } from '@draftshelf/publishing/publish-errors';
import { readBack } from '@draftshelf/publishing/read-back';
import type { ChunkWork } from '@draftshelf/queues/run-chunk';
import type { PushStore } from './push-reads.ts';

export const getProductRange = (chunk: ChunkRecord) => ({
  firstProduct: chunk.first_product ?? 1,
  products: chunk.products ?? 0,
});

/**
 * Carries out the remaining work of a chunk (of a push, an undo or changes of gone products) and completes the chunk.
 * Each promise of `each` resolves to our id if the product was written, else to null. `ourIdsOf` returns all products
 * of the chunk, which are then read back: an earlier claim may have written some without doing so.
 */
export async function carryOutChunk(
  { chunk, import: record, database: { db }, signal }: ChunkWork,
  { session, reads }: PushStore,
  each: (signal: AbortSignal) => readonly Promise<string | null>[],
  ourIdsOf?: () => Promise<string[]>,
): Promise<void> {
  const stopping = new AbortController();
  const written = await allOrFirstError(each(AbortSignal.any([signal, stopping.signal])), stopping);
  if (ourIdsOf) {
    await readBack(db, session.shop, await ourIdsOf(), {
      written: new Set(written.flatMap((ourId) => ourId ?? [])),
      read: (products) => reads.back(products, record.id),
      // If the claim was lost, the next claim may have written these products since they were read.
      fence: (trx) => lockHeldChunk(trx, chunk),
    });
  }
  await db.transaction().execute((trx) => completeChunk(trx, chunk, {}));
}

/** Waits for all promises, even after an error, so that products being sent are completed. Throws the first error. */
async function allOrFirstError<T>(works: readonly Promise<T>[], stopping: AbortController): Promise<T[]> {
  const all = Promise.all(works);
  all.catch(() => stopping.abort(new PublishStopped()));
  await Promise.allSettled(works);
  return all;
}
