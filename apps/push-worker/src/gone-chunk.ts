import { pageGoneLines, readOpenGoneLines } from '@draftshelf/core/push/previews/gone-lines';
import { readGoneOfRun } from '@draftshelf/core/push/previews/push-undos';
import { readGoneAgain } from '@draftshelf/core/suppliers/gone';
import { lockHeld, noteProgress } from '@draftshelf/core/work/claim-chunk';
import { completeChunk } from '@draftshelf/core/work/complete-chunk';
import { changeGoneProduct, type GoneContext } from '@draftshelf/publishing/gone/change-gone';
import { readBack } from '@draftshelf/publishing/read-back';
import type { OpenPhoto } from '@draftshelf/publishing/stage-photos';
import type { ChunkWork } from '@draftshelf/queues/run-chunk';
import { allOrFirstError, rangeOf } from './chunk-products.ts';
import type { PushStore } from './push-reads.ts';

/** Lines that already have a result are skipped. */
export async function changeGone(
  work: ChunkWork,
  { session, gate, reads }: PushStore,
  { openPhoto }: { openPhoto: OpenPhoto },
): Promise<void> {
  const { chunk, import: record, database } = work;
  const { db } = database;
  const preview = await readGoneOfRun(db, record.id, chunk.run);
  const { firstProduct: first, products } = rangeOf(chunk);
  const lines = await readOpenGoneLines(db, preview.id, { first, lines: products });
  // The plan may be weeks old.
  const again = await db.transaction().execute((trx) =>
    readGoneAgain(
      trx,
      preview.gone,
      lines.map(({ our_id }) => our_id),
    ),
  );
  await noteProgress(db, chunk, products - lines.length);
  const stopping = new AbortController();
  const signal = AbortSignal.any([work.signal, stopping.signal]);
  const context: GoneContext = {
    ...{ db, session, preview, chunk, signal, openPhoto, again, supplier: record.supplier },
    read: async (id) => (await reads.live([id])).get(id) ?? null,
    readStamp: async (id) => (await reads.stamps([id])).get(id) ?? null,
    enter: () => gate.enter(record.id, signal),
  };
  const written = await allOrFirstError(
    lines.map((line) => changeGoneProduct(context, line)),
    stopping,
  );
  await readBack(db, session.shop, await idsOfRange(preview.id), {
    written: new Set(written.flatMap((ourId) => ourId ?? [])),
    read: (products) => reads.back(products, record.id),
    // The next claim may have written these products since they were read.
    fence: (trx) => lockHeld(trx, chunk),
  });
  await db.transaction().execute((trx) => completeChunk(trx, chunk, {}));

  /** Returns our ids of all lines: an earlier claim may have written some and not read them back. */
  async function idsOfRange(id: number): Promise<string[]> {
    const page = await pageGoneLines(db, id, {}, { after: first - 1, limit: products });
    return page.map(({ our_id }) => our_id);
  }
}
