import type { Db } from '@draftshelf/core/connection/database';
import { findListings, type VersionedListing } from '@draftshelf/core/push/listings';
import { readUndoFacts } from '@draftshelf/core/push/previews/push-undos';
import type { UndoFacts } from './undo-decision.ts';

export type PushToUndo = { shop: string; importId: string; pushRun: number };

/** Facts from Postgres. Only this package writes their states and drafts, so the JSON is not checked. */
type StoredFacts = Omit<
  UndoFacts,
  'live' | 'filesInStore' | 'store' | 'whenUnsure' | 'choice' | 'chosenAbout'
> & {
  sentHashBefore: string | null;
  sourceBefore: object | null;
  /** The state before the push, without changes by others. Empty if unknown; null if others had changed nothing. */
  expectedBefore: object | null;
  storeProductId: string | null;
};

export type ProductToUndo = {
  listing: VersionedListing | null;
  stored: StoredFacts;
  /** The product's id in the store. Null if no record has one. */
  storeProductId: string | null;
};

/** Reads the stored facts of products, by our id. Products whose push has already been undone are absent. */
export async function readKnownProducts(
  db: Db,
  push: PushToUndo,
  ourIds: readonly string[],
): Promise<Map<string, ProductToUndo>> {
  const listings = await findListings(db, push.shop, ourIds);
  const stored = await readUndoFacts<StoredFacts>(db, push, ourIds);
  return new Map(
    [...stored].map(([ourId, facts]) => {
      const storeProductId = facts.storeProductId ?? facts.after?.id ?? facts.before?.id ?? null;
      return [ourId, { listing: listings.get(ourId) ?? null, stored: facts, storeProductId }];
    }),
  );
}

export const titleOf = ({ stored: { after, sentAfter, before } }: ProductToUndo): string | null =>
  after?.title ?? sentAfter?.title ?? before?.title ?? null;

export const wasCreated = ({ stored }: ProductToUndo): boolean =>
  stored.kind === 'create' && stored.before === null;
