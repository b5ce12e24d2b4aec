import type { Db } from '@draftshelf/core/connection/database';
import { findListings, isSentOrBeingSent } from '@draftshelf/core/push/listings';
import type { NewPlanLine } from '@draftshelf/core/push/previews/plan-lines';
import { findCopiedIds } from '@draftshelf/core/push/store/store-products';
import type { RunOfRows } from '@draftshelf/core/work/runs';
import { type Difference, unasked } from '@draftshelf/domain/push/push-plan';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { batchReads } from '@draftshelf/shopify/collect-reads';
import { findDriftedParts } from '@draftshelf/shopify/product/drifted-fields';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { findOurProduct, idsPerReadMax, readLiveProducts, readStamps } from '@draftshelf/shopify/products';
import type { BuiltProduct } from './build-product.ts';
import { composeWriteMessage } from './decide-pushed.ts';
import type { ProductFacts } from './decision.ts';
import { matchImport } from './match-import.ts';
import { matchProducts, type PushChoices } from './match-products.ts';
import { type FinalDecision, type PlannedDecision, planProduct } from './plan-product.ts';
import {
  changedParts,
  findPlannedDifferences,
  rankChange,
  rankUnchanged,
  selectShownChanges,
} from './planned-differences.ts';
import type { ProductToDecide } from './publish-context.ts';

export type PlanStoreFacts = ProductFacts['store'];

type Planning = {
  db: Db;
  client: ShopifyClient;
  shop: string;
  importId: string;
  of: RunOfRows;
  build(numbers: readonly number[]): Promise<BuiltProduct[]>;
  settings: Omit<PushChoices, 'choices'>;
  /** Called only if the store has one of the products, or a product has collections. */
  openStore(): Promise<PlanStoreFacts>;
  signal: AbortSignal;
};

/** Time that a read waits for other reads, so that one request reads a hundred products. */
const collectMs = 20;

/** Used if all products are new and without collections, because their plans need no facts of the store. */
const anyStore: PlanStoreFacts = { locationId: null, collections: [] };

/**
 * Returns the lines of a plan. Stamps of pushed products cost a point per hundred, and changed products are read.
 * Other products are looked up in our copy of the store at no cost. Throws PublishLater and the store client's errors.
 */
export async function planProducts(
  planning: Planning,
  products: readonly BuiltProduct[],
): Promise<{ lines: NewPlanLine[]; store: PlanStoreFacts | null }> {
  const { db, client, shop, importId, signal } = planning;
  const ourIds = products.map(({ ourId }) => ourId);
  const listings = await findListings(db, shop, ourIds);
  const fresh = ourIds.filter((ourId) => !isSentOrBeingSent(listings.get(ourId)));
  const copied = await findCopiedIds(db, shop, fresh);
  const isOpened = listings.size + copied.size > 0 || products.some(hasCollections);
  let store = isOpened ? await planning.openStore() : null;
  const view = () => ({ locationId: store?.locationId ?? null });
  const limits = { idsMax: idsPerReadMax, waitMs: collectMs };
  const readLive = batchReads((ids) => readLiveProducts(client, ids, view(), { signal }), limits);
  const readStamp = batchReads((ids) => readStamps(client, ids, { signal }), limits);
  const live = await readLive([...new Set(copied.values())]);
  // Products deleted since the store was copied are left out, because a push would not find them.
  const inStore = new Map([...copied].filter(([, id]) => live.has(id)));
  const match = async (some: readonly BuiltProduct[]) => {
    const options = { signal, updatesCopy: false };
    const matches = await matchProducts(db, { client, shop }, importId, some, options);
    if (matches.size > 0) store ??= await planning.openStore();
    return matches;
  };
  const matched = await matchImport({ ...planning, match }, products, { listings, inStore });
  const context = {
    ...{ db, shop, store: store ?? anyStore },
    read: async (id: string) => live.get(id) ?? (await readLive([id])).get(id) ?? null,
    readStamp: async (id: string) => (await readStamp([id])).get(id) ?? null,
    findByOurId: (ourId: string) => findOurProduct(client, ourId, view(), { signal }),
  };
  const lines = await Promise.all(
    products.map(async (product) => {
      const toDecide = matched(product);
      return lineOf(product, toDecide, await planProduct(context, toDecide), context.store);
    }),
  );
  return { lines, store };
}

const hasCollections = ({ built }: BuiltProduct): boolean =>
  built.ok && (built.product.collections ?? []).length > 0;

function lineOf(
  { number, ourId, note }: BuiltProduct,
  decided: ProductToDecide,
  planned: PlannedDecision,
  { collections }: PlanStoreFacts,
): NewPlanLine {
  const { decision, by } = planned;
  const { message, storeProductId, ...outcome } = outcomeOf(decision);
  const baseline = by.listing?.pushed?.baseline ?? null;
  const live = by.live ?? null;
  const isNew = decision.kind === 'create';
  const question = decision.question ?? decided.matchQuestion ?? null;
  const isCompared = decision.kind === 'update' || (!isNew && question !== null);
  const differences = isCompared ? differencesOf(planned, collections) : [];
  return {
    product: number,
    ...outcome,
    storeProductId,
    message: message ?? note,
    changeRank: isCompared ? rankChange(differences) : rankUnchanged(outcome.outcome),
    live: live === baseline ? null : live,
    facts: {
      parts:
        decision.kind === 'update' ? changedParts(differences) : isNew ? undefined : drifted(live, baseline),
      changes: selectShownChanges(differences),
    },
    question: question ? { ...question, ourId: question.about === 'in-store' ? ourId : decided.ourId } : null,
  };
}

type Foreseen = Pick<NewPlanLine, 'outcome' | 'code' | 'message' | 'storeProductId'>;

function outcomeOf(decision: FinalDecision): Foreseen {
  switch (decision.kind) {
    case 'create':
      return foreseen('created', null, composeWriteMessage(decision));
    case 'update':
      return foreseen('updated', decision.before.id, composeWriteMessage(decision));
    case 'record': {
      const { outcome, code, message, listing } = decision;
      return foreseen(outcome, listing.storeProductId, message, code);
    }
    case 'adopt':
      return foreseen('unchanged', decision.listing.storeProductId, decision.message);
    case 'unchanged':
      return foreseen('unchanged', decision.storeProductId, decision.message);
    case 'skip':
      return foreseen('skipped', decision.storeProductId, decision.message, decision.code);
  }
}

const foreseen = (
  outcome: string,
  storeProductId: string | null,
  message: string | null,
  code: string | null = null,
): Foreseen => ({ outcome, storeProductId, message, code });

/** Returns the differences that an update sends or, while a question is open, the differences shown with it. */
function differencesOf(planned: PlannedDecision, collections: PlanStoreFacts['collections']): Difference[] {
  const of = findPlannedDifferences(planned, collections);
  return of.sent ? of.differences : [...of.asked, ...unasked(of)];
}

function drifted(live: LiveProduct | null, baseline: LiveProduct | null) {
  const parts = live && baseline && live !== baseline ? findDriftedParts(live, baseline) : [];
  return parts.length > 0 ? parts : undefined;
}
