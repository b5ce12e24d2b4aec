import type { PushUndoRecord } from '@draftshelf/core/connection/schema';
import { findListings } from '@draftshelf/core/push/listings';
import { changePreview } from '@draftshelf/core/push/previews/previews';
import { countUndoable, pageUndoable } from '@draftshelf/core/push/previews/push-undos';
import { insertUndoLines } from '@draftshelf/core/push/previews/undo-lines';
import { endSending, listLeftBehind, takeOverSending } from '@draftshelf/core/push/sending';
import { lockHeld } from '@draftshelf/core/work/claim-chunk';
import { setTaskTotal } from '@draftshelf/core/work/command-tasks';
import type { TaskStep } from '@draftshelf/core/work/tasks';
import { canDo } from '@draftshelf/domain/imports/import-status';
import type { StoreSession } from '@draftshelf/publishing/store-session';
import { previewProducts } from '@draftshelf/publishing/undo/preview-products';
import { resolveSent } from '@draftshelf/publishing/undo/resolve-sent';
import { CannotSucceed } from '@draftshelf/queues/chunk-errors';
import { type PlanningStore, type PreviewWork, previewTask, storePart } from './preview-part.ts';

/** One request reads this many products. */
const productsPerPart = 100;
const sentElsewhereMs = 1_000;

type Work = PreviewWork<PushUndoRecord>;

/** Ends without a result when the import may not be undone any more. */
export const planUndo = (currentStore: () => Promise<PlanningStore | null>): TaskStep =>
  previewTask<PushUndoRecord>({
    ...{ kind: 'undo', currentStore },
    isWanted: (record, undo) =>
      undo.previewed_at === null &&
      undo.problem === null &&
      undo.made_at_run === record.push_run &&
      canDo('undoPush', record.status),
    async part(work) {
      const { preview: undo, store, signal } = work;
      const session = await store.openSession(signal);
      if (session.shop !== undo.shop) {
        throw new CannotSucceed(
          `This push went to ${undo.shop}, which is not connected. Connect it, then preview again.`,
        );
      }
      return undo.total === null ? begin(work, session) : previewPart(work, session);
    },
  });

/** Resolves writes of the push without a result, and counts the products. */
async function begin({ db, chunk, preview: undo }: Work, session: StoreSession) {
  const { shop, import_id: importId, undoes_run: pushRun } = undo;
  for (const { ourId, run } of await listLeftBehind(db, importId, shop)) {
    const isOurs = await takeOverSending(db, { chunk }, { shop, ourId });
    if (!isOurs) return { waitFor: 'Waits for a product that is being sent.', waitMs: sentElsewhereMs };
    const listing = (await findListings(db, shop, [ourId])).get(ourId);
    if (listing?.sending_kind === 'undo') await endSending(db, { chunk }, { shop, ourId });
    else if (listing) {
      const of = { chunk, importId, run: run ?? pushRun, origin: 'undo' } as const;
      await resolveSent(db, session, { ...of, listing });
    }
  }
  const total = await countUndoable(db, { importId, pushRun });
  await db.transaction().execute(async (trx) => {
    await lockHeld(trx, chunk);
    await changePreview(trx, undo.id, { total });
    await setTaskTotal(trx, chunk, total);
  });
  return 'more' as const;
}

async function previewPart(work: Work, session: StoreSession): Promise<'more' | 'done'> {
  const { db, chunk, preview: undo, store, signal } = work;
  const push = { shop: undo.shop, importId: undo.import_id, pushRun: undo.undoes_run };
  const page = await pageUndoable(db, push, { position: undo.position, limit: productsPerPart });
  const { done } = await lockHeld(db, chunk);
  const { client } = store;
  const ourIds = page.map(({ ourId }) => ourId);
  const { lines, sums, points, recreatedVariants } = await previewProducts(
    { db, client, session, push, whenUnsure: undo.when_unsure, signal },
    ourIds,
    done + 1,
  );
  const total = done + page.length;
  return storePart(work, {
    insert: (trx) => insertUndoLines(trx, undo.id, lines),
    ...{ counters: { points, recreated_variants: recreatedVariants }, counts: { sums } },
    changed: { position: page.at(-1)?.position ?? undo.position },
    ...{ done: total, isLast: page.length < productsPerPart, ended: async () => ({ total }) },
  });
}
