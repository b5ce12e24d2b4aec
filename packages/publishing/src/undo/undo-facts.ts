import type { Db } from '@draftshelf/core/connection/database';
import { findListings, type VersionedListing } from '@draftshelf/core/push/listings';
import { readUndoFacts, type StoredUndoFacts } from '@draftshelf/core/push/previews/undo-facts';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { Kept } from '@draftshelf/shopify/product/drifted-fields';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import type { UndoFacts } from './undo-decision.ts';

export type UndonePush = { shop: string; importId: string; pushRun: number };

export type KnownProduct = {
  listing: VersionedListing | null;
  stored: StoredUndoFacts;
  /** The store's id; null: no record has one. */
  storeProductId: string | null;
};

type StoredFacts = Omit<
  UndoFacts,
  'live' | 'filesInStore' | 'store' | 'whenUnsure' | 'choice' | 'chosenAbout'
>;

/** Reads the stored facts of some products, by our id. Products whose states were undone meanwhile are absent. */
export async function readKnown(
  db: Db,
  push: UndonePush,
  ourIds: readonly string[],
): Promise<Map<string, KnownProduct>> {
  const listings = await findListings(db, push.shop, ourIds);
  const stored = await readUndoFacts(db, push, ourIds);
  return new Map(
    [...stored].map(([ourId, facts]) => {
      const storeProductId = facts.storeProductId ?? live(facts.after)?.id ?? live(facts.before)?.id ?? null;
      return [ourId, { listing: listings.get(ourId) ?? null, stored: facts, storeProductId }];
    }),
  );
}

/** States and drafts are stored as JSON by this package only. */
export const factsOfStored = ({ stored }: KnownProduct): StoredFacts => ({
  ourId: stored.ourId,
  kind: stored.kind,
  begunAt: stored.begunAt,
  before: live(stored.before),
  after: live(stored.after),
  isAfterLate: stored.isAfterLate,
  sentBefore: stored.sentBefore as DraftProduct | null,
  sentAfter: stored.sentAfter as DraftProduct | null,
  keptAfter: stored.keptAfter as Kept | null,
  pushedLaterBy: stored.pushedLaterBy,
  alsoPushedBy: stored.alsoPushedBy,
});

export const titleOf = (known: KnownProduct): string | null => {
  const { after, before, sentAfter } = factsOfStored(known);
  return after?.title ?? sentAfter?.title ?? before?.title ?? null;
};

export const wasCreated = ({ stored }: KnownProduct): boolean =>
  stored.kind === 'create' && stored.before === null;

const live = (state: object | null) => state as LiveProduct | null;
