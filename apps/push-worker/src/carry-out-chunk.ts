import type { GoneRecord, PushUndoRecord } from '@draftshelf/core/connection/schema';
import { pageGoneLines, readOpenGoneLines } from '@draftshelf/core/push/previews/gone-lines';
import { choiceOf, readOpenLines } from '@draftshelf/core/push/previews/undo-lines';
import { readGoneAgain } from '@draftshelf/core/suppliers/gone';
import { lockHeld, noteProgress } from '@draftshelf/core/work/claim-chunk';
import { completeChunk } from '@draftshelf/core/work/complete-chunk';
import { changeGoneProduct, type GoneContext } from '@draftshelf/publishing/gone/change-gone';
import { readBack } from '@draftshelf/publishing/read-back';
import type { OpenPhoto } from '@draftshelf/publishing/stage-photos';
import { type UndoContext, undoProduct } from '@draftshelf/publishing/undo/undo-product';
import type { ChunkWork } from '@draftshelf/queues/run-chunk';
import { allOrFirstError, rangeOf } from './chunk-products.ts';
import type { PushStore } from './push-reads.ts';

/** Lines that already have a result are skipped, here and below. */
export async function undoLines(
  work: ChunkWork,
  { session, gate, reads }: PushStore,
  undo: PushUndoRecord,
): Promise<void> {
  const { chunk, import: record, database } = work;
  const { db } = database;
  const { firstProduct, products } = rangeOf(chunk);
  const lines = await readOpenLines(db, undo.id, { first: firstProduct, lines: products });
  await noteProgress(db, chunk, products - lines.length);
  const stopping = new AbortController();
  const signal = AbortSignal.any([work.signal, stopping.signal]);
  const context: UndoContext = {
    ...{ db, session, chunk, whenUnsure: undo.when_unsure },
    push: { shop: undo.shop, importId: record.id, pushRun: undo.undoes_run },
    read: async (id) => (await reads.undo([id])).get(id) ?? null,
    readFiles: reads.files,
    enter: () => gate.enter(record.id, signal),
  };
  const undoing = lines.map((line) => undoProduct(context, { line, choice: choiceOf(line, undo.choices) }));
  await allOrFirstError(undoing, stopping);
  await db.transaction().execute((trx) => completeChunk(trx, chunk, {}));
}

export async function changeGone(
  work: ChunkWork,
  { session, gate, reads }: PushStore,
  preview: GoneRecord,
  openPhoto: OpenPhoto,
): Promise<void> {
  const { chunk, import: record, database } = work;
  const { db } = database;
  const { firstProduct: first, products } = rangeOf(chunk);
  const lines = await readOpenGoneLines(db, preview.id, { first, lines: products });
  // The plan may be weeks old.
  const due = lines.map(({ our_id }) => our_id);
  const again = await db.transaction().execute((trx) => readGoneAgain(trx, preview.gone, due));
  await noteProgress(db, chunk, products - lines.length);
  const stopping = new AbortController();
  const signal = AbortSignal.any([work.signal, stopping.signal]);
  const context: GoneContext = {
    ...{ db, session, preview, chunk, signal, openPhoto, again, supplier: record.supplier },
    read: async (id) => (await reads.live([id])).get(id) ?? null,
    readStamp: async (id) => (await reads.stamps([id])).get(id) ?? null,
    enter: () => gate.enter(record.id, signal),
  };
  const changing = lines.map((line) => changeGoneProduct(context, line));
  const written = await allOrFirstError(changing, stopping);
  // All lines of the range: an earlier claim may have written some and not read them back.
  const all = await pageGoneLines(db, preview.id, {}, { after: first - 1, limit: products });
  const ourIds = all.map(({ our_id }) => our_id);
  await readBack(db, session.shop, ourIds, {
    written: new Set(written.flatMap((ourId) => ourId ?? [])),
    read: (products) => reads.back(products, record.id),
    // The next claim may have written these products since they were read.
    fence: (trx) => lockHeld(trx, chunk),
  });
  await db.transaction().execute((trx) => completeChunk(trx, chunk, {}));
}
