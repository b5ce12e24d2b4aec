import type { ChunkRecord, ImportRecord, PushUndoRecord } from '@draftshelf/database/connection/schema';
import { findImport } from '@draftshelf/database/imports/imports';
import { listLeftBehind } from '@draftshelf/database/push/left-behind';
import { findListings } from '@draftshelf/database/push/listings';
import {
  addToPreview,
  countUndoable,
  endPreview,
  findPushUndo,
  pageUndoable,
  setUndoProblem,
  setUndoTotal,
} from '@draftshelf/database/push/previews/push-undos';
import { insertUndoLines } from '@draftshelf/database/push/previews/undo-lines';
import { endSending, takeOverSending } from '@draftshelf/database/push/sending';
import { lockHeld, markDone } from '@draftshelf/database/work/claim-chunk';
import { setTaskTotal } from '@draftshelf/database/work/command-tasks';
import { storeTaskProgress, type TaskStep } from '@draftshelf/database/work/tasks';
import { canDo } from '@draftshelf/domain/imports/import-status';
import type { StoreSession } from '@draftshelf/publishing/store-session';
import { previewProducts } from '@draftshelf/publishing/undo/preview-products';
import { resolveSent } from '@draftshelf/publishing/undo/resolve-sent';
import { CannotSucceed, ReleaseChunk } from '@draftshelf/queues/chunk-errors';
import { isReasonOf } from './blocks-until.ts';
import { asTaskError, type PlanningStore } from './plan-push.ts';

/** Products of a part: a request reads so many. */
const productsPerPart = 100;
const partMsMax = 20_000;
const sentElsewhereMs = 1_000;

type Work = { db: Parameters<TaskStep>[0]; chunk: ChunkRecord; undo: PushUndoRecord };

/**
 * The task 'plan-undo': what the undo of a push would do with the next products, without writing to the store. Ends
 * without a result when the import may not be undone any more.
 */
export function planUndo(currentStore: () => Promise<PlanningStore | null>): TaskStep {
  return async (db, chunk, signal) => {
    await lockHeld(db, chunk);
    const record = await findImport(db, chunk.import_id);
    const undo = await findPushUndo(db, chunk.import_id);
    if (!record || !undo || !isWanted(record, undo)) {
      await markDone(db, chunk);
      return 'done';
    }
    const limit = AbortSignal.timeout(partMsMax);
    try {
      const store = await currentStore();
      if (!store)
        throw new CannotSucceed('No store is connected. Connect one in Settings, then preview again.');
      const session = await store.openSession(AbortSignal.any([signal, limit]));
      if (session.shop !== undo.shop) {
        throw new CannotSucceed(
          `This push went to ${undo.shop}, which is not connected. Connect it, then preview again.`,
        );
      }
      const work = { db, chunk, undo };
      if (undo.total === null) return await begin(work, session);
      return await previewPart(work, { store, session, signal: AbortSignal.any([signal, limit]) });
    } catch (error) {
      if (signal.aborted) throw new ReleaseChunk();
      if (isReasonOf(limit, error)) return { waitFor: 'Waits until the store accepts more requests.' };
      const failure = asTaskError(error);
      if (!(failure instanceof CannotSucceed)) throw failure;
      return endWithProblem({ db, chunk, undo }, failure.message);
    }
  };
}

const isWanted = (record: ImportRecord, undo: PushUndoRecord) =>
  undo.previewed_at === null &&
  undo.problem === null &&
  undo.made_at_run === record.push_run &&
  canDo('undoPush', record.status);

/** The first part: writes of the push without a result are resolved, and the products are counted. */
async function begin({ db, chunk, undo }: Work, session: StoreSession) {
  const { shop, import_id: importId, push_run: pushRun } = undo;
  for (const { ourId, run } of await listLeftBehind(db, importId, shop)) {
    const isOurs = await takeOverSending(db, { chunk }, { shop, ourId });
    if (!isOurs) return { waitFor: 'Waits for a product that is being sent.', waitMs: sentElsewhereMs };
    const listing = (await findListings(db, shop, [ourId])).get(ourId);
    if (listing?.sending_kind === 'undo') await endSending(db, { chunk }, { shop, ourId });
    else if (listing) await resolveSent(db, session, { chunk, importId, run: run ?? pushRun, listing });
  }
  const total = await countUndoable(db, { importId, pushRun });
  await db.transaction().execute(async (trx) => {
    await lockHeld(trx, chunk);
    await setUndoTotal(trx, undo.id, total);
    await setTaskTotal(trx, chunk, total);
  });
  return 'more' as const;
}

async function previewPart(
  { db, chunk, undo }: Work,
  { store, session, signal }: { store: PlanningStore; session: StoreSession; signal: AbortSignal },
): Promise<'more' | 'done'> {
  const push = { shop: undo.shop, importId: undo.import_id, pushRun: undo.push_run };
  const page = await pageUndoable(db, push, { position: undo.position, limit: productsPerPart });
  const { done } = await lockHeld(db, chunk);
  const { client } = store;
  const part = await previewProducts(
    { db, client, session, push, whenUnsure: undo.when_unsure, signal },
    page.map(({ ourId }) => ourId),
    done + 1,
  );
  const last = page.at(-1);
  const isLast = page.length < productsPerPart;
  await db.transaction().execute(async (trx) => {
    await lockHeld(trx, chunk);
    await insertUndoLines(trx, undo.id, part.lines);
    if (last) await addToPreview(trx, undo.id, { ...part, position: last.position });
    await storeTaskProgress(trx, chunk, done + page.length);
    if (!isLast) return;
    await setUndoTotal(trx, undo.id, done + page.length);
    await endPreview(trx, undo.id);
    await markDone(trx, chunk);
  });
  return isLast ? 'done' : 'more';
}

/** Ends a preview that cannot be made. There is nothing to retry: a new one replaces it. */
async function endWithProblem({ db, chunk, undo }: Work, problem: string): Promise<'done'> {
  await db.transaction().execute(async (trx) => {
    await lockHeld(trx, chunk);
    await setUndoProblem(trx, undo.id, problem);
    await markDone(trx, chunk);
  });
  return 'done';
}
