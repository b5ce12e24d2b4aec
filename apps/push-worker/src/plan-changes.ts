import type { Db } from '@draftshelf/core/connection/database';
import type { GoneLineRecord, GoneRecord, PushUndoRecord } from '@draftshelf/core/connection/schema';
import { isGonePlanCurrent } from '@draftshelf/core/push/changes/gone';
import { findListings } from '@draftshelf/core/push/listings';
import {
  type GonePlanLine,
  insertUndoLines,
  readChangesPage,
  setGonePlans,
} from '@draftshelf/core/push/previews/change-lines';
import { changePreview, type PreviewChange } from '@draftshelf/core/push/previews/previews';
import { countUndoableProducts, readUndoableProducts } from '@draftshelf/core/push/previews/push-undos';
import { endSending, listUnfinishedWrites, takeOverSending } from '@draftshelf/core/push/sending';
import { insertGoneLines, listChangedGoneProducts } from '@draftshelf/core/suppliers/gone';
import { lockHeldChunk } from '@draftshelf/core/work/claim-chunk';
import { setTaskTotal, type TaskPartHandler, type TaskProgress } from '@draftshelf/core/work/tasks';
import { canDo } from '@draftshelf/domain/imports/import-status';
import {
  decodeGoneSums,
  goneAtOnceMax,
  goneSentence,
  goneSumKey,
  onSaleKey,
} from '@draftshelf/domain/suppliers/gone';
import { addListingFacts, decideGone } from '@draftshelf/publishing/gone/decide-gone';
import type { StoreSession } from '@draftshelf/publishing/store-session';
import { previewUndoProducts } from '@draftshelf/publishing/undo/preview-products';
import { resolveLostWrite } from '@draftshelf/publishing/undo/undo-product';
import { CannotSucceed } from '@draftshelf/queues/chunk-errors';
import { readUndoProducts } from '@draftshelf/shopify/undo/undo-live';
import {
  countByKey,
  createPreviewTask,
  type FindPlanningStore,
  type PreviewWork,
  storePreviewPart,
} from './preview-part.ts';

/** Products per part: as many as one request reads. */
const productsPerPart = 100;

type UndoWork = PreviewWork<PushUndoRecord>;
type GoneWork = PreviewWork<GoneRecord>;

const isOpen = ({ previewed_at, problem }: PushUndoRecord | GoneRecord): boolean =>
  previewed_at === null && problem === null;

/** Performs the first part of the task: stores the number of products. */
async function begin(
  { db, chunk, preview }: UndoWork | GoneWork,
  count: (trx: Db) => Promise<PreviewChange & { total: number }>,
): Promise<'more'> {
  await db.transaction().execute(async (trx) => {
    await lockHeldChunk(trx, chunk);
    const changed = await count(trx);
    await changePreview(trx, preview.id, changed);
    await setTaskTotal(trx, chunk, changed.total);
  });
  return 'more';
}

/** Plans an undo, part by part. Ends without a result if the import can no longer be undone. */
export const createUndoPlanTask = (currentStore: FindPlanningStore): TaskPartHandler =>
  createPreviewTask<PushUndoRecord>({
    ...{ kind: 'undo', currentStore },
    isWanted: (record, undo) =>
      isOpen(undo) && undo.made_at_run === record.push_run && canDo('undoPush', record.status),
    async part(work) {
      const { preview: undo, store, signal } = work;
      const session = await store.openSession(signal);
      if (session.shop !== undo.shop) {
        throw new CannotSucceed(
          `This push went to ${undo.shop}, which is not connected. Connect it, then preview again.`,
        );
      }
      return undo.total === null ? beginUndo(work, session) : planUndoPart(work, session);
    },
  });

const sentElsewhereMs = 1_000;

/** Resolves writes of the push that have no result yet, and counts the products. */
async function beginUndo(work: UndoWork, session: StoreSession): Promise<TaskProgress> {
  const { db, chunk, preview: undo } = work;
  const { shop, import_id: importId, undoes_run: pushRun } = undo;
  for (const { ourId, run } of await listUnfinishedWrites(db, importId, shop)) {
    const isOurs = await takeOverSending(db, { chunk }, { shop, ourId });
    if (!isOurs) return { waitFor: 'Waits for a product that is being sent.', waitMs: sentElsewhereMs };
    const listing = (await findListings(db, shop, [ourId])).get(ourId);
    if (listing?.sending_kind === 'undo') await endSending(db, { chunk }, { shop, ourId });
    else if (listing) {
      const of = { chunk, importId, run: run ?? pushRun, origin: 'undo' } as const;
      await resolveLostWrite(db, session, { ...of, listing });
    }
  }
  const total = await countUndoableProducts(db, { importId, pushRun });
  return begin(work, async () => ({ total }));
}

async function planUndoPart(work: UndoWork, session: StoreSession): Promise<'more' | 'done'> {
  const { db, chunk, preview: undo, signal } = work;
  const push = { shop: undo.shop, importId: undo.import_id, pushRun: undo.undoes_run };
  const page = await readUndoableProducts(db, push, { position: undo.position, limit: productsPerPart });
  const { done } = await lockHeldChunk(db, chunk);
  const ourIds = page.map(({ ourId }) => ourId);
  const { lines, sums, points, recreatedVariants } = await previewUndoProducts(
    { db, session, push, whenUnsure: undo.when_unsure, signal },
    ourIds,
    done + 1,
  );
  const total = done + page.length;
  return storePreviewPart(work, {
    insert: (trx) => insertUndoLines(trx, undo.id, lines),
    ...{ counters: { points, recreated_variants: recreatedVariants }, counts: { sums } },
    changed: { position: page.at(-1)?.position ?? undo.position },
    ...{ done: total, isLast: page.length < productsPerPart, ended: async () => ({ total }) },
  });
}

export const createGonePlanTask = (currentStore: FindPlanningStore): TaskPartHandler =>
  createPreviewTask<GoneRecord>({
    ...{ kind: 'gone', currentStore },
    isWanted: (record, plan) => isOpen(plan) && plan.made_at_run === record.push_run,
    async part(work) {
      const { record, preview: plan } = work;
      const session = await work.store.openSession(work.signal);
      if (plan.total !== null) return planGonePart(work, session);
      return begin(work, async (trx) => {
        const isWanted = await isGonePlanCurrent(trx, record, plan);
        const total = isWanted ? await insertGoneLines(trx, plan.id, plan.gone) : 0;
        return { total, shop: session.shop, position: 0 };
      });
    },
  });

async function planGonePart(work: GoneWork, session: StoreSession): Promise<'more' | 'done'> {
  const { db, preview } = work;
  const after = preview.position ?? 0;
  const lines = await readChangesPage(db, preview, {}, { after, limit: productsPerPart });
  const planned = asAutomatic(
    preview,
    await planLines(work, lines, session),
    await linesOfUndone(db, preview, lines, session),
  );
  const sums = countByKey(
    planned.flatMap(({ action, code, isOnSale }) => [
      goneSumKey(action, code),
      ...(isOnSale && action === preview.gone.action ? [onSaleKey] : []),
    ]),
  );
  return storePreviewPart(work, {
    insert: (trx) => setGonePlans(trx, preview.id, planned),
    counts: { sums },
    changed: { position: lines.at(-1)?.line ?? after },
    done: after + lines.length,
    isLast: lines.length < productsPerPart,
  });
}

type PlannedLine = GonePlanLine & { isOnSale?: boolean };

async function planLines(
  { db, preview, store: { client }, signal }: GoneWork,
  lines: readonly GoneLineRecord[],
  session: StoreSession,
): Promise<PlannedLine[]> {
  const { shop } = session;
  const { action } = preview.gone;
  const ourIds = lines.map(({ our_id }) => our_id);
  const listings = await findListings(db, shop, ourIds);
  const ids = [...listings.values()].flatMap((listing) => listing.store_product_id ?? []);
  const live = await readUndoProducts(client, ids, session, { signal });
  return lines.map(({ line, our_id: ourId, facts: product }) => {
    const found = listings.get(ourId) ?? null;
    const storeProductId = found?.store_product_id ?? null;
    const known = addListingFacts({ ourId, action, product, store: session }, found);
    const decision = decideGone({ ...known, live: live.get(storeProductId ?? '') ?? null });
    const of = { line, storeProductId };
    if (decision.kind === 'write') {
      return { ...of, action, code: null, message: decision.message, isOnSale: decision.isOnSale };
    }
    if (decision.kind === 'already') return { ...of, action: 'already', code: null, message: null };
    return { ...of, action: 'keep', code: decision.code, message: decision.message };
  });
}

/** Returns lines of products that an earlier push changed as gone. Full auto skips them. Empty without full auto. */
async function linesOfUndone(
  db: Db,
  { gone: { supplier, automatic } }: GoneRecord,
  lines: readonly GoneLineRecord[],
  { shop }: StoreSession,
): Promise<ReadonlySet<number>> {
  if (!automatic) return new Set();
  const products = lines.map(({ our_id: ourId, facts }) => ({ ourId, key: facts.keys[0] ?? '' }));
  const changed = await listChangedGoneProducts(db, { supplier, shop }, products);
  return new Set(lines.flatMap(({ line, our_id }) => (changed.has(our_id) ? [line] : [])));
}

/** Applies the limits of full auto: few products of a list are changed, none twice. A person decides about the rest. */
function asAutomatic(
  { gone, sums }: GoneRecord,
  planned: PlannedLine[],
  undone: ReadonlySet<number>,
): PlannedLine[] {
  if (!gone.automatic) return planned;
  let left = goneAtOnceMax;
  for (const { end, products } of decodeGoneSums(sums)) if (end === gone.action) left -= products;
  return planned.map((one) => {
    if (one.action !== gone.action) return one;
    if (!undone.has(one.line)) left -= 1;
    const code = undone.has(one.line) ? 'undone' : left < 0 ? 'later' : null;
    return code === null ? one : { ...one, action: 'keep', code, message: goneSentence(code) };
  });
}
