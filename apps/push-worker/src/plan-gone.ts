import type { GoneLineRecord, GoneRecord } from '@draftshelf/core/connection/schema';
import { isCurrent } from '@draftshelf/core/push/gone/plan-gone';
import { findListings } from '@draftshelf/core/push/listings';
import { type PlannedGone, pageGoneLines, setGonePlans } from '@draftshelf/core/push/previews/gone-lines';
import { changePreview } from '@draftshelf/core/push/previews/previews';
import { insertGoneLines, listChangedGone } from '@draftshelf/core/suppliers/gone';
import { lockHeld } from '@draftshelf/core/work/claim-chunk';
import { setTaskTotal } from '@draftshelf/core/work/command-tasks';
import type { TaskStep } from '@draftshelf/core/work/tasks';
import {
  goneAtOnceMax,
  goneSentence,
  goneSumKey,
  goneSumsOf,
  onSaleKey,
} from '@draftshelf/domain/suppliers/gone';
import type { DraftSource } from '@draftshelf/publishing/draft-source';
import { decideGone } from '@draftshelf/publishing/gone/decide-gone';
import { factsOf } from '@draftshelf/publishing/read-facts';
import type { StoreSession } from '@draftshelf/publishing/store-session';
import { readUndoLive } from '@draftshelf/shopify/undo/undo-live';
import { countBy, type PlanningStore, type PreviewWork, previewTask, storePart } from './preview-part.ts';

/** One request reads this many products. */
const productsPerPart = 100;

type Work = PreviewWork<GoneRecord>;

export const planGone = (currentStore: () => Promise<PlanningStore | null>): TaskStep =>
  previewTask<GoneRecord>({
    ...{ kind: 'gone', currentStore },
    isWanted: (record, plan) =>
      plan.previewed_at === null && plan.problem === null && plan.made_at_run === record.push_run,
    async part(work) {
      const session = await work.store.openSession(work.signal);
      return work.preview.total === null ? begin(work, session) : planPart(work, session);
    },
  });

async function begin({ db, chunk, record, preview }: Work, { shop }: StoreSession) {
  return db.transaction().execute(async (trx) => {
    await lockHeld(trx, chunk);
    const isWanted = await isCurrent(trx, record, preview);
    const total = isWanted ? await insertGoneLines(trx, preview.id, preview.gone) : 0;
    await changePreview(trx, preview.id, { total, shop, position: 0 });
    await setTaskTotal(trx, chunk, total);
    return 'more' as const;
  });
}

async function planPart(work: Work, session: StoreSession): Promise<'more' | 'done'> {
  const { db, preview } = work;
  const after = preview.position ?? 0;
  const lines = await pageGoneLines(db, preview.id, {}, { after, limit: productsPerPart });
  const planned = asAutomatic(
    preview,
    await planLines(work, lines, session),
    await linesOfUndone(db, preview, lines, session),
  );
  const sums = countBy(
    planned.flatMap(({ action, code, isOnSale }) => [
      goneSumKey(action, code),
      ...(isOnSale && action === preview.gone.action ? [onSaleKey] : []),
    ]),
  );
  return storePart(work, {
    insert: (trx) => setGonePlans(trx, preview.id, planned),
    counts: { sums },
    changed: { position: lines.at(-1)?.line ?? after },
    done: after + lines.length,
    isLast: lines.length < productsPerPart,
  });
}

type PlannedLine = PlannedGone & { isOnSale?: boolean };

async function planLines(
  { db, preview, store: { client }, signal }: Work,
  lines: readonly GoneLineRecord[],
  session: StoreSession,
): Promise<PlannedLine[]> {
  const { shop } = session;
  const { action } = preview.gone;
  const ourIds = lines.map(({ our_id }) => our_id);
  const listings = await findListings(db, shop, ourIds);
  const ids = [...listings.values()].flatMap((listing) => listing.store_product_id ?? []);
  const live = await readUndoLive(client, ids, session, { signal });
  return lines.map(({ line, our_id: ourId, items: product }) => {
    const found = listings.get(ourId) ?? null;
    const storeProductId = found?.store_product_id ?? null;
    const decision = decideGone({
      ...{ ourId, action, product, listing: factsOf(found).listing ?? null, store: session },
      source: (found?.source ?? null) as DraftSource | null,
      live: live.get(storeProductId ?? '') ?? null,
    });
    const of = { line, storeProductId };
    if (decision.kind === 'write') {
      return { ...of, action, code: null, message: decision.message, isOnSale: decision.isOnSale };
    }
    if (decision.kind === 'already') return { ...of, action: 'already', code: null, message: null };
    return { ...of, action: 'keep', code: decision.code, message: decision.message };
  });
}

/** Returns the lines of products that were changed before for being gone and have been written since. */
async function linesOfUndone(
  db: Work['db'],
  { gone: { supplier, automatic } }: GoneRecord,
  lines: readonly GoneLineRecord[],
  { shop }: StoreSession,
): Promise<ReadonlySet<number>> {
  if (!automatic) return new Set();
  const products = lines.map(({ our_id: ourId, items }) => ({ ourId, key: items.keys[0] ?? '' }));
  const changed = await listChangedGone(db, { supplier, shop }, products);
  return new Set(lines.flatMap(({ line, our_id }) => (changed.has(our_id) ? [line] : [])));
}

/** Full auto changes few products of a list, and none twice; a person decides about the others. */
function asAutomatic(
  { gone, sums }: GoneRecord,
  planned: PlannedLine[],
  undone: ReadonlySet<number>,
): PlannedLine[] {
  if (!gone.automatic) return planned;
  let left = goneAtOnceMax;
  for (const { end, products } of goneSumsOf(sums)) if (end === gone.action) left -= products;
  return planned.map((one) => {
    if (one.action !== gone.action) return one;
    if (!undone.has(one.line)) left -= 1;
    const code = undone.has(one.line) ? 'undone' : left < 0 ? 'later' : null;
    return code === null ? one : { ...one, action: 'keep', code, message: goneSentence(code) };
  });
}
