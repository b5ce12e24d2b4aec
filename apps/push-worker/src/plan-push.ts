import type { Db } from '@draftshelf/database/connection/database';
import type {
  ChunkRecord,
  ImportRecord,
  PlanRecord,
  PlanStore,
} from '@draftshelf/database/connection/schema';
import { findImport } from '@draftshelf/database/imports/imports';
import { insertPlanLines, type NewPlanLine } from '@draftshelf/database/push/previews/plan-lines';
import {
  addToPlan,
  endPlan,
  findEarlierPlan,
  findPlan,
  setPlanProblem,
  setPlanShop,
} from '@draftshelf/database/push/previews/plans';
import { readShopAt, upsertShop } from '@draftshelf/database/push/store/shops';
import { readProductRows } from '@draftshelf/database/review/effective-rows';
import { lockHeld, markDone } from '@draftshelf/database/work/claim-chunk';
import { currentRows } from '@draftshelf/database/work/runs';
import { storeTaskProgress, type TaskStep } from '@draftshelf/database/work/tasks';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { decisionKey } from '@draftshelf/domain/push/plan-decisions';
import { sumKey } from '@draftshelf/domain/push/push-plan';
import { withProductsOfNow } from '@draftshelf/imports/scanner/store-values';
import { buildProducts } from '@draftshelf/publishing/build-product';
import { type PlanStoreFacts, planProducts } from '@draftshelf/publishing/plan-products';
import { PublishLater } from '@draftshelf/publishing/publish-errors';
import type { StoreSession } from '@draftshelf/publishing/store-session';
import { CannotSucceed, ReleaseChunk, RetryLater } from '@draftshelf/queues/chunk-errors';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/store-errors';
import { blocksUntil, isReasonOf } from './blocks-until.ts';
import { type Build, buildNumbered } from './build-numbered.ts';

/** A part of a plan: its lines and its progress are stored together. */
const productsPerPart = 500;
/** Rows may have a megabyte each, so the drafts of only so many products are in memory at a time. */
const productsPerBlock = 100;
/** A part that waits longer for the store stores its finished blocks, or leaves its slot to others if it has none. */
const partMsMax = 20_000;
const otherPlanMs = 5_000;

/** The store that plans are made for. */
export type PlanningStore = {
  client: ShopifyClient;
  /** Reads what products of the store refer to. */
  openSession(signal: AbortSignal): Promise<StoreSession>;
  /** The points that its calls have taken so far, and the time that they waited for them. */
  spent(): { points: number; waitedMs: number };
};

type PlanParts = {
  imageHosts: readonly string[];
  /** The store that is connected; null: none is. */
  currentStore(): Promise<PlanningStore | null>;
};

/**
 * The task 'plan-push': what a push would do with the next products, without writing to the store. Ends without a
 * result when the import may not be pushed any more. One plan of a shop is made at a time.
 */
export function planPush(parts: PlanParts): TaskStep {
  return async (db, chunk, signal) => {
    const { done } = await lockHeld(db, chunk);
    const record = await findImport(db, chunk.import_id);
    const plan = await findPlan(db, chunk.import_id);
    if (!record || !plan || !isWanted(record, plan, chunk)) {
      await markDone(db, chunk);
      return 'done';
    }
    const limit = AbortSignal.timeout(partMsMax);
    try {
      const store = await parts.currentStore();
      if (!store) throw new CannotSucceed('No store is connected. Connect one in Settings, then plan again.');
      const at = await shopOf(db, plan, store, signal);
      const earlier = await findEarlierPlan(db, { id: plan.id, shop: at.shop });
      if (earlier !== undefined) return { waitFor: `Waits for the plan of ${earlier}.`, waitMs: otherPlanMs };
      const work = { db, record, plan, store, at, imageHosts: parts.imageHosts };
      return await storePart({ db, chunk, record, plan }, await planPart(work, done, { signal, limit }));
    } catch (error) {
      if (signal.aborted) throw new ReleaseChunk();
      if (isReasonOf(limit, error)) return { waitFor: 'Waits until the store accepts more requests.' };
      const failure = asTaskError(error);
      if (!(failure instanceof CannotSucceed)) throw failure;
      return endWithProblem(db, chunk, plan, failure.message);
    }
  };
}

/** Ends a plan that this store cannot be planned for. There is nothing to retry: a new plan replaces it. */
async function endWithProblem(
  db: Parameters<TaskStep>[0],
  chunk: ChunkRecord,
  { id }: PlanRecord,
  problem: string,
): Promise<'done'> {
  await db.transaction().execute(async (trx) => {
    await lockHeld(trx, chunk);
    await setPlanProblem(trx, id, problem);
    await markDone(trx, chunk);
  });
  return 'done';
}

const isWanted = (record: ImportRecord, plan: PlanRecord, { run }: ChunkRecord) =>
  record.rows_run === run && plan.rows_run === run && plan.ended_at === null && canDo('plan', record.status);

type At = { shop: string; currency: string };

/** The shop of a plan; its first part sets it. A shop that has answered before is not asked. */
async function shopOf(db: Db, plan: PlanRecord, store: PlanningStore, signal: AbortSignal): Promise<At> {
  const { url } = store.client.store;
  const known = await readShopAt(db, url);
  const { shop, currency } =
    known?.currency != null
      ? { shop: known.shop, currency: known.currency }
      : await store.openSession(signal);
  if (plan.shop === shop) return { shop, currency };
  if (plan.shop !== null) throw new CannotSucceed('Another store was connected meanwhile. Plan again.');
  await upsertShop(db, { shop, url, currency });
  await setPlanShop(db, plan.id, shop);
  return { shop, currency };
}

type PlanWork = {
  db: Db;
  record: ImportRecord;
  plan: PlanRecord;
  store: PlanningStore;
  at: At;
  imageHosts: readonly string[];
};

/** `until`: the last product of it. */
type PlannedBlock = { lines: NewPlanLine[]; store: PlanStore | null; until: number };
type PlannedPart = PlannedBlock & { points: number; openingPoints: number; workMs: number };

/** Plans the products behind a number, as many as the limit allows. No transaction is open meanwhile. */
async function planPart(
  work: PlanWork,
  after: number,
  { signal, limit }: { signal: AbortSignal; limit: AbortSignal },
): Promise<PlannedPart> {
  const before = work.store.spent();
  const began = performance.now();
  let openingPoints = 0;
  const openSession: PlanningStore['openSession'] = async (stop) => {
    const { points } = work.store.spent();
    const session = await work.store.openSession(stop);
    openingPoints += work.store.spent().points - points;
    return session;
  };
  const store = { ...work.store, openSession };
  const stop = AbortSignal.any([signal, limit]);
  const blocks = await blocksUntil(limit, planBlocks({ ...work, store }, after, stop));
  const spent = work.store.spent();
  return {
    lines: blocks.flatMap(({ lines }) => lines),
    store: blocks.findLast(({ store }) => store)?.store ?? null,
    until: blocks.at(-1)?.until ?? after,
    points: spent.points - before.points,
    openingPoints,
    workMs: performance.now() - began - (spent.waitedMs - before.waitedMs),
  };
}

async function* planBlocks(
  { db, record, plan, store, at, imageHosts }: PlanWork,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<PlannedBlock> {
  const of = currentRows(record);
  const last = Math.min(after + productsPerPart, record.product_numbers);
  for (let first = after + 1; first <= last; first += productsPerBlock) {
    signal.throwIfAborted();
    const until = Math.min(first + productsPerBlock - 1, last);
    const range = { firstProduct: first, products: until - first + 1 };
    const { rows } = await withProductsOfNow(db, of, await readProductRows(db, of, range));
    const options = { draftMode: plan.made_from.draftMode, currency: at.currency, imageHosts };
    const build: Build = (some) => buildProducts(db, record, some, options);
    const grouped = [...Map.groupBy(rows, (row) => row.product)];
    const { lines, store: facts } = await planProducts(
      {
        ...{ db, client: store.client, shop: at.shop, importId: record.id, of, signal },
        build: buildNumbered(db, of, build),
        settings: {
          whenInStore: plan.made_from.whenInStore as MatchChoice,
          sendNonOverlapping: plan.made_from.sendNonOverlapping ?? false,
        },
        openStore: () => store.openSession(signal),
      },
      await build(grouped),
    );
    yield { lines, until, store: facts && toPlanStore(facts, at) };
  }
}

const toPlanStore = (
  { locationId, collections, canRename }: PlanStoreFacts,
  { currency }: At,
): PlanStore => ({
  locationId: locationId ?? null,
  currency,
  collections: [...collections],
  canRename: canRename === true,
});

async function storePart(
  {
    db,
    chunk,
    record,
    plan,
  }: Pick<PlanWork, 'record' | 'plan'> & { db: Parameters<TaskStep>[0]; chunk: ChunkRecord },
  { lines, until, ...part }: PlannedPart,
): Promise<'more' | 'done'> {
  const isLast = until >= record.product_numbers;
  await db.transaction().execute(async (trx) => {
    await lockHeld(trx, chunk);
    await insertPlanLines(trx, plan.id, lines);
    await addToPlan(trx, plan.id, {
      ...part,
      sums: countBy(lines.map(({ outcome, code }) => sumKey(outcome, code))),
      decisions: countBy(lines.flatMap(({ question }) => (question ? decisionKey(question) : []))),
    });
    await storeTaskProgress(trx, chunk, until);
    if (!isLast) return;
    await endPlan(trx, plan);
    await markDone(trx, chunk);
  });
  return isLast ? 'done' : 'more';
}

function countBy(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

/** Turns an error of the store's client into what it means for the task. */
export function asTaskError(error: unknown): unknown {
  if (error instanceof PublishLater) return new RetryLater(error.message, { waitMs: error.waitMs });
  if (error instanceof StoreRefused) return new CannotSucceed(error.message, { cause: error });
  if (!(error instanceof StoreUnavailable) || error.reason === 'fault') return error;
  return new RetryLater(error.message, { waitMs: error.waitMs || undefined, cause: error });
}
