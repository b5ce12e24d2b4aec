import type { Db } from '@draftshelf/core/connection/database';
import type { GoneRecord, PushUndoRecord } from '@draftshelf/core/connection/schema';
import { findLineChoice, readChangesPage, readOpenLines } from '@draftshelf/core/push/previews/change-lines';
import { readCarriedOutPreview } from '@draftshelf/core/push/previews/push-undos';
import { type PushRun, readPushRun } from '@draftshelf/core/push/push-run';
import { readStillGoneItems } from '@draftshelf/core/suppliers/gone';
import { storeProductProgress } from '@draftshelf/core/work/claim-chunk';
import { ImportNotRunning } from '@draftshelf/core/work/complete-chunk';
import { pauseForStore } from '@draftshelf/core/work/import-actions';
import { recordStoreRefusal } from '@draftshelf/core/work/locked-store';
import { isStorageUnavailable } from '@draftshelf/object-storage/object-errors';
import { changeGoneProduct, type GoneContext } from '@draftshelf/publishing/gone/change-gone';
import { PublishStopped } from '@draftshelf/publishing/publish-errors';
import type { OpenPhoto } from '@draftshelf/publishing/stage-photos';
import { type UndoContext, undoProduct } from '@draftshelf/publishing/undo/undo-product';
import { ReleaseChunk, RetryLater, StageFailed } from '@draftshelf/queues/chunk-errors';
import type { ChunkWork } from '@draftshelf/queues/run-chunk';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/store-errors';
import { carryOutChunk, getProductRange } from './carry-out.ts';
import { toTaskError } from './preview-part.ts';
import { type PushProductsDeps, pushProducts } from './push-products.ts';
import type { PushStore } from './push-reads.ts';

/** A wait this long pauses the import until the store accepts more. Shorter waits are only shown on the import. */
const pauseFromMs = 10 * 60 * 1000;

export type PushChunkDeps = PushProductsDeps & {
  openStore(work: ChunkWork, run: PushRun): Promise<PushStore>;
};

/** Pushes the undecided products of a chunk. After a pause, only the products that are being sent are completed. */
export async function pushChunk(work: ChunkWork, parts: PushChunkDeps): Promise<void> {
  const { database, chunk } = work;
  try {
    const run = await readPushRun(database.db, chunk);
    const store = await parts.openStore(work, run);
    const preview = run.carriesOut && (await readCarriedOutPreview(database.db, work.import.id, chunk.run));
    if (preview?.kind === 'undo') await undoLines(work, store, preview);
    else if (preview) await changeGone(work, store, preview, parts.openPhoto);
    else await pushProducts(work, run, store, parts);
  } catch (error) {
    if (work.signal.aborted) throw new ReleaseChunk();
    throw await asChunkError(error, work);
  }
}

async function undoLines(work: ChunkWork, store: PushStore, undo: PushUndoRecord): Promise<void> {
  const { chunk, import: record, database } = work;
  const { db } = database;
  const { session, gate, reads } = store;
  const { firstProduct: first, products } = getProductRange(chunk);
  const lines = await readOpenLines(db, undo, { first, lines: products });
  await storeProductProgress(db, chunk, products - lines.length);
  await carryOutChunk(work, store, (signal) => {
    const context: UndoContext = {
      ...{ db, session, chunk, whenUnsure: undo.when_unsure },
      push: { shop: undo.shop, importId: record.id, pushRun: undo.undoes_run },
      read: async (id) => (await reads.undo([id])).get(id) ?? null,
      readFiles: reads.files,
      enter: () => gate.enter(record.id, signal),
    };
    return lines.map(async (line) => {
      await undoProduct(context, { line, choice: findLineChoice(line, undo.choices) });
      return null;
    });
  });
}

async function changeGone(
  work: ChunkWork,
  store: PushStore,
  preview: GoneRecord,
  openPhoto: OpenPhoto,
): Promise<void> {
  const { chunk, import: record, database } = work;
  const { db } = database;
  const { session, gate, reads } = store;
  const { firstProduct: first, products } = getProductRange(chunk);
  const lines = await readOpenLines(db, preview, { first, lines: products });
  // The plan may be weeks old, so the current lists show which of its products are still gone.
  const due = lines.map(({ our_id }) => our_id);
  const again = await db.transaction().execute((trx) => readStillGoneItems(trx, preview.gone, due));
  await storeProductProgress(db, chunk, products - lines.length);
  const change = (signal: AbortSignal) => {
    const context: GoneContext = {
      ...{ db, session, preview, chunk, signal, openPhoto, again, supplier: record.supplier },
      read: async (id) => (await reads.live([id])).get(id) ?? null,
      readStamp: async (id) => (await reads.stamps([id])).get(id) ?? null,
      enter: () => gate.enter(record.id, signal),
    };
    return lines.map((line) => changeGoneProduct(context, line));
  };
  await carryOutChunk(work, store, change, async () => {
    const all = await readChangesPage(db, preview, {}, { after: first - 1, limit: products });
    return all.map(({ our_id }) => our_id);
  });
}

async function asChunkError(
  error: unknown,
  { chunk, import: record, database }: ChunkWork,
): Promise<unknown> {
  if (error instanceof PublishStopped) return new ImportNotRunning(record.id, 'push');
  if (isStorageUnavailable(error)) {
    return new RetryLater('Object storage is unavailable.', { cause: error, tally: 'storage-errors' });
  }
  if (error instanceof StoreRefused) return new StageFailed(error.message, { cause: error });
  if (!(error instanceof StoreUnavailable) || error.reason === 'fault') return toTaskError(error);
  const { message, waitMs } = error;
  if (waitMs !== null && waitMs >= pauseFromMs) {
    const pause = (trx: Db) => pauseForStore(trx, chunk, { cause: message, waitMs });
    await database.db.transaction().execute(pause);
    return new ImportNotRunning(record.id, 'push');
  }
  if (error.reason === 'locked') {
    const note = (trx: Db) => recordStoreRefusal(trx, chunk, message);
    if (await database.db.transaction().execute(note)) return new ImportNotRunning(record.id, 'push');
  }
  return toTaskError(error);
}
