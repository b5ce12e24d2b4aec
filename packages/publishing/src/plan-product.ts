import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord, PlanRecord } from '@draftshelf/core/connection/schema';
import { findListings, isSentOrBeingSent, type VersionedListing } from '@draftshelf/core/push/listings';
import { findMatches } from '@draftshelf/core/push/store/product-keys';
import { findCopiedIds } from '@draftshelf/core/push/store/store-products';
import { findStockChoice } from '@draftshelf/core/suppliers/supplier-pushes';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import type { BuiltProduct } from './build-product.ts';
import { toPushedProduct } from './decide-product.ts';
import { type DraftWithFacts, decideUntilDone, type StepResult } from './decide-until-done.ts';
import type { Decision, DecisionOf, ProductFacts } from './decision.ts';
import { addMatchStanding, applyMatch, type PushChoices, readChoices } from './match-products.ts';
import type { ProductToDecide } from './publish-context.ts';
import { PublishLater } from './publish-errors.ts';
import { type FactReader, readFact } from './read-facts.ts';

export type PlanContext = FactReader & { store: ProductFacts['store'] };

export type FinalDecision = Exclude<Decision, { kind: 'read' | 'not-arrived' | 'wait' }>;
export type PlannedDecision = { decision: FinalDecision; by: DraftWithFacts };

/** Returns the settings that a plan was made with. */
export const readPlannedSettings = async (
  db: Db,
  record: ImportRecord,
  { made_from }: PlanRecord,
): Promise<Omit<PushChoices, 'choices'>> => ({
  whenInStore: made_from.whenInStore as MatchChoice,
  isChosen: false,
  sendNonOverlapping: made_from.sendNonOverlapping ?? false,
  stockChoice: await findStockChoice(db, record),
});

/** Decides as a push would, without writing: facts change as if the writes had been made. Throws PublishLater. */
export function planProduct(context: PlanContext, product: ProductToDecide): Promise<PlannedDecision> {
  return decideUntilDone(product, {
    store: context.store,
    async carryOut(decision, by): Promise<StepResult<PlannedDecision>> {
      switch (decision.kind) {
        case 'read': {
          const reader = { ...context, read: (id: string) => readLive(context, id, by) };
          return { changed: await readFact(reader, product.ourId, decision) };
        }
        case 'not-arrived': {
          const listing = by.listing && { ...by.listing, sending: null };
          return { changed: { live: undefined, stamp: undefined, listing } };
        }
        case 'record':
          return decision.thenDecide ? { changed: arrived(by, decision) } : { done: { decision, by } };
        case 'update':
          return decision.baseline === null
            ? { done: { decision, by } }
            : { changed: withBaseline(by, decision.baseline, decision.before) };
        case 'wait':
          throw new PublishLater(decision.message);
        default:
          return { done: { decision, by } };
      }
    },
  });
}

/** Returns the baseline if it is complete and its time of change equals the stamp. Otherwise reads the product. */
async function readLive(context: PlanContext, id: string, { listing, stamp }: DraftWithFacts) {
  const baseline = listing?.pushed?.storeProductId === id ? listing.pushed.baseline : null;
  if (!baseline || !Object.values(baseline.complete).every(Boolean)) return context.read(id);
  const now = stamp === undefined ? await context.readStamp(id) : stamp;
  return now === baseline.updatedAt ? baseline : context.read(id);
}

function arrived({ listing }: DraftWithFacts, { listing: { storeProductId } }: DecisionOf<'record'>) {
  const pushed = listing?.sending ? toPushedProduct(listing.sending, storeProductId) : null;
  return { listing: { pushed, sending: null }, stamp: undefined };
}

const withBaseline = ({ listing }: DraftWithFacts, baseline: LiveProduct, live: LiveProduct) => ({
  listing: listing?.pushed ? { ...listing, pushed: { ...listing.pushed, baseline } } : listing,
  live,
});

/** A plan's settings, and a product's state in the store as the plan read it. */
export type PlanSnapshot = {
  shop: string;
  importId: string;
  settings: Omit<PushChoices, 'choices'>;
  /** Whether the plan skipped the product because of a match that it did not read. If so, newer choices are ignored. */
  isUnread: boolean;
  store: ProductFacts['store'];
  /** The store product of the plan's line. Null if there is none. */
  storeProductId: string | null;
  live: LiveProduct | null;
  isDeleted: boolean;
};

/** Decides about a product again, with its state as read for the plan. Reads nothing from the store. */
export async function replanProduct(
  db: Db,
  { shop, importId, settings, isUnread, store, storeProductId, live, isDeleted }: PlanSnapshot,
  product: BuiltProduct,
): Promise<PlannedDecision> {
  const { ourId, built, source } = product;
  const found = (await findListings(db, shop, [ourId])).get(ourId) ?? null;
  const copied =
    !isSentOrBeingSent(found) && live?.externalId === ourId ? await findCopiedIds(db, shop, [ourId]) : null;
  const idInStore = copied?.get(ourId);
  const candidates = idInStore === undefined ? await findMatches(db, shop, importId, [product]) : null;
  const proved = candidates?.get(ourId)?.find((one) => one.storeProductId === storeProductId);
  const standing = proved && addMatchStanding(product, proved);
  const match = standing ? { ...standing, isDeleted } : undefined;
  const unmatched = { ourId, built, source, found, idInStore };
  const choices = isUnread ? new Map() : await readChoices(db, shop, [ourId], match ? [match] : []);
  const toDecide = applyMatch(unmatched, match, { ...settings, choices });
  const listed = toDecide.ourId === ourId ? found : await listingOf(db, shop, toDecide.ourId);
  const known = isDeleted ? null : (live ?? baselineOf(listed));
  const planned = await planProduct(
    {
      ...{ db, shop, store },
      read: async () => known,
      readStamp: async () => known?.updatedAt ?? null,
      findByOurId: async () => known,
    },
    toDecide,
  );
  if (planned.decision.kind !== 'skip' || planned.by.live !== undefined) return planned;
  // The product of a skipped match was not read, so its state is taken from a listing.
  const inStore = known ?? (match?.ourId ? baselineOf(await listingOf(db, shop, match.ourId)) : null);
  return inStore === null ? planned : { ...planned, by: { ...planned.by, live: inStore } };
}

const baselineOf = (listing: VersionedListing | null) => (listing?.baseline ?? null) as LiveProduct | null;

const listingOf = async (db: Db, shop: string, ourId: string) =>
  (await findListings(db, shop, [ourId])).get(ourId) ?? null;
