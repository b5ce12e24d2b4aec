import type { Db } from '@draftshelf/core/connection/database';
import { findListings, isKnown, type VersionedListing } from '@draftshelf/core/push/listings';
import { findMatches } from '@draftshelf/core/push/store/product-keys';
import { findCopiedIds } from '@draftshelf/core/push/store/store-products';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import type { BuiltProduct } from './build-product.ts';
import { type ChoicesOfPush, readChoices, withMatch, withStanding } from './match-products.ts';
import { type PlannedDecision, planProduct } from './plan-product.ts';
import type { PlanStoreFacts } from './plan-products.ts';

/** A plan and the product as the plan read it. */
export type ReadByPlan = {
  shop: string;
  importId: string;
  settings: Omit<ChoicesOfPush, 'choices'>;
  /** Choices about matches that were made after the plan are not followed: it has not read these products. */
  isUnread: boolean;
  store: PlanStoreFacts;
  /** The store's product of its line; null: none. */
  storeProductId: string | null;
  live: LiveProduct | null;
  isDeleted: boolean;
};

/** Decides about one product again, by its state as read for the plan. Reads nothing from the store. */
export async function replanProduct(
  db: Db,
  { shop, importId, settings, isUnread, store, storeProductId, live, isDeleted }: ReadByPlan,
  product: BuiltProduct,
): Promise<PlannedDecision> {
  const { ourId, built, source } = product;
  const found = (await findListings(db, shop, [ourId])).get(ourId) ?? null;
  const copied =
    !isKnown(found) && live?.externalId === ourId ? await findCopiedIds(db, shop, [ourId]) : null;
  const idInStore = copied?.get(ourId);
  const candidates = idInStore === undefined ? await findMatches(db, shop, importId, [product]) : null;
  const proved = candidates?.get(ourId)?.find((one) => one.storeProductId === storeProductId);
  const standing = proved && withStanding(product, proved);
  const match = standing ? { ...standing, isDeleted } : undefined;
  const unmatched = { ourId, built, source, found, idInStore };
  const choices = isUnread ? new Map() : await readChoices(db, shop, [ourId], match ? [match] : []);
  const toDecide = withMatch(unmatched, match, { ...settings, choices });
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
  // To leave a match alone, its product was not read.
  const inStore = known ?? (match?.ourId ? baselineOf(await listingOf(db, shop, match.ourId)) : null);
  return inStore === null ? planned : { ...planned, by: { ...planned.by, live: inStore } };
}

const baselineOf = (listing: VersionedListing | null) => (listing?.baseline ?? null) as LiveProduct | null;

const listingOf = async (db: Db, shop: string, ourId: string) =>
  (await findListings(db, shop, [ourId])).get(ourId) ?? null;
