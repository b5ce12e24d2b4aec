import type { PlanRecord, StoreSnapshot } from '@draftshelf/core/connection/schema';
import { storableJson } from '@draftshelf/core/connection/storable-json';
import { insertPlanLines } from '@draftshelf/core/push/previews/plan-lines';
import { findEarlierPlan, setPlanShop } from '@draftshelf/core/push/previews/previews';
import { findShopByUrl, upsertShop } from '@draftshelf/core/push/store/shops';
import { readLastEditId } from '@draftshelf/core/review/commands/stored-edits';
import { readProductRows } from '@draftshelf/core/review/effective-rows';
import { applyCurrentProducts } from '@draftshelf/core/scanner/store-values';
import { currentRows } from '@draftshelf/core/work/runs';
import type { TaskPartHandler } from '@draftshelf/core/work/tasks';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { toDecisionKey } from '@draftshelf/domain/push/plan-decisions';
import { toPlanSumKey } from '@draftshelf/domain/push/push-plan';
import { type BuildProducts, buildProducts, createBuildByNumber } from '@draftshelf/publishing/build-product';
import { readPlannedSettings } from '@draftshelf/publishing/plan-product';
import { type PlanStoreFacts, planProducts } from '@draftshelf/publishing/plan-products';
import { CannotSucceed } from '@draftshelf/queues/chunk-errors';
import {
  countByKey,
  createPreviewTask,
  type FindPlanningStore,
  type PreviewWork,
  storePreviewPart,
} from './preview-part.ts';

/** Products per part. Their drafts are in memory at once, and their rows may have 1 MB each. */
const productsPerPart = 100;
const otherPlanMs = 5_000;

type PlanParts = { imageHosts: readonly string[]; currentStore: FindPlanningStore };

type Work = PreviewWork<PlanRecord>;

/** Plans a push, one plan per shop at a time. Ends without a result if the import can no longer be pushed. */
export const createPushPlanTask = ({ imageHosts, currentStore }: PlanParts): TaskPartHandler =>
  createPreviewTask<PlanRecord>({
    ...{ kind: 'push', currentStore },
    isWanted: (record, plan, { run }) =>
      record.rows_run === run &&
      plan.rows_run === run &&
      plan.previewed_at === null &&
      canDo('plan', record.status),
    async part(work) {
      const { db, chunk, preview } = work;
      const at = await shopOf(work);
      const earlier = await findEarlierPlan(db, { id: preview.id, shop: at.shop });
      if (earlier !== null) return { waitFor: `Waits for the plan of ${earlier}.`, waitMs: otherPlanMs };
      return planPart({ ...work, at, imageHosts }, chunk.done);
    },
  });

type At = { shop: string; currency: string };

/** Returns the shop of a plan, which the first part stores. Asks the store only if the database lacks its currency. */
async function shopOf({ db, preview: plan, store, stop }: Work): Promise<At> {
  const { url } = store.client.store;
  const known = await findShopByUrl(db, url);
  const { shop, currency } =
    known?.currency != null ? { shop: known.shop, currency: known.currency } : await store.openSession(stop);
  if (plan.shop === shop) return { shop, currency };
  if (plan.shop !== null) throw new CannotSucceed('Another store was connected meanwhile. Plan again.');
  await upsertShop(db, { shop, url, currency });
  await setPlanShop(db, plan.id, shop);
  return { shop, currency };
}

type PlanWork = Work & { at: At; imageHosts: readonly string[] };

/** Plans the products that follow the number `after`, and stores their lines. Meanwhile, no transaction is open. */
async function planPart(work: PlanWork, after: number): Promise<'more' | 'done'> {
  const { db, record, preview: plan, store, at, imageHosts, signal } = work;
  const before = store.spent();
  const began = performance.now();
  let openingPoints = 0;
  const openStore = async () => {
    const { points } = store.spent();
    const session = await store.openSession(signal);
    openingPoints += store.spent().points - points;
    return session;
  };
  const of = currentRows(record);
  const until = Math.min(after + productsPerPart, record.product_numbers);
  const range = { firstProduct: after + 1, products: until - after };
  const { rows } = await applyCurrentProducts(db, of, await readProductRows(db, of, range));
  const options = { draftMode: plan.made_from.draftMode, currency: at.currency, imageHosts };
  const build: BuildProducts = (some) => buildProducts(db, record, some, options);
  const grouped = [...Map.groupBy(rows, (row) => row.product)];
  const { lines, store: facts } = await planProducts(
    {
      ...{ db, client: store.client, shop: at.shop, importId: record.id, of, signal, openStore },
      build: createBuildByNumber(db, of, build),
      settings: await readPlannedSettings(db, record, plan),
    },
    await build(grouped),
  );
  const spent = store.spent();
  return storePreviewPart(work, {
    insert: (trx) => insertPlanLines(trx, plan.id, lines),
    counters: {
      points: spent.points - before.points,
      opening_points: openingPoints,
      work_ms: performance.now() - began - (spent.waitedMs - before.waitedMs),
    },
    counts: {
      sums: countByKey(lines.map(({ outcome, code }) => toPlanSumKey(outcome, code))),
      decisions: countByKey(lines.flatMap(({ question }) => (question ? toDecisionKey(question) : []))),
    },
    changed: facts ? { store: storableJson(toPlanStore(facts, at)) } : {},
    done: until,
    isLast: until >= record.product_numbers,
    ended: async (trx) => ({ edits_until: await readLastEditId(trx, record.id) }),
  });
}

const toPlanStore = (
  { locationId, collections, canRename }: PlanStoreFacts,
  { currency }: At,
): StoreSnapshot => ({
  locationId: locationId ?? null,
  currency,
  collections: [...collections],
  canRename: canRename === true,
});
