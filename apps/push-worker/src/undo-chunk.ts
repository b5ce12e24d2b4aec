import { readUndoOfRun } from '@draftshelf/core/push/previews/push-undos';
import { choiceOf, readOpenLines } from '@draftshelf/core/push/previews/undo-lines';
import { reviewLateUndo } from '@draftshelf/core/push/undo/end-undo';
import { noteProgress } from '@draftshelf/core/work/claim-chunk';
import { completeChunk } from '@draftshelf/core/work/complete-chunk';
import { type LineToUndo, type UndoContext, undoProduct } from '@draftshelf/publishing/undo/undo-product';
import type { ChunkWork } from '@draftshelf/queues/run-chunk';
import { allOrFirstError, rangeOf } from './chunk-products.ts';
import type { PushStore } from './push-reads.ts';

/** Lines that already have a result are skipped. */
export async function undoLines(work: ChunkWork, store: PushStore): Promise<void> {
  const { chunk, import: record, database } = work;
  const { db } = database;
  const { session, gate, reads } = store;
  const undo = await readUndoOfRun(db, record.id, chunk.run);
  const { firstProduct, products } = rangeOf(chunk);
  const lines = await readOpenLines(db, undo.id, { first: firstProduct, lines: products });
  await noteProgress(db, chunk, products - lines.length);
  const stopping = new AbortController();
  const signal = AbortSignal.any([work.signal, stopping.signal]);
  const context: UndoContext = {
    ...{ db, session, chunk, whenUnsure: undo.when_unsure },
    push: { shop: undo.shop, importId: record.id, pushRun: undo.undoes_run },
    read: async (id) => (await reads.undo([id])).get(id) ?? null,
    readFiles: async (ids) => new Set((await reads.files(ids)).keys()),
    enter: () => gate.enter(record.id, signal),
    settle: (trx) => reviewLateUndo(trx, record.id),
  };
  const toUndo = (line: (typeof lines)[number]): LineToUndo => ({
    line,
    choice: choiceOf(line, undo.choices),
  });
  await allOrFirstError(
    lines.map((line) => undoProduct(context, toUndo(line))),
    stopping,
  );
  await db.transaction().execute((trx) => completeChunk(trx, chunk, {}));
}
