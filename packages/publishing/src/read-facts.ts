import { findListings, type VersionedListing } from '@draftshelf/core/push/listings';
import { takeOverSending } from '@draftshelf/core/push/sending';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { KeptValues } from '@draftshelf/shopify/product/drifted-fields';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { findOurProduct } from '@draftshelf/shopify/products';
import type { Decision, Listing, ProductFacts } from './decision.ts';
import { type DraftSource, rebuildDraft } from './draft-source.ts';
import type { PublishContext } from './publish-context.ts';
import { PublishLater } from './publish-errors.ts';

const sentElsewherePauseMs = 1000;

export type KnownFacts = Pick<ProductFacts, 'listing' | 'live' | 'stamp' | 'unset' | 'unsetMetafields'> & {
  found: VersionedListing | null;
};
export const unreadFacts: KnownFacts = {
  listing: undefined,
  live: undefined,
  stamp: undefined,
  unset: undefined,
  unsetMetafields: undefined,
  found: null,
};

export type FactReader = Pick<PublishContext, 'db' | 'read' | 'readStamp'> & {
  shop: string;
  findByOurId(ourId: string): Promise<LiveProduct | null>;
};

/** Reads the fact that a decision lacks. */
export async function readFact(
  { db, shop, ...store }: FactReader,
  ourId: string,
  wanted: Extract<Decision, { kind: 'read' }>,
): Promise<Partial<KnownFacts>> {
  switch (wanted.by) {
    case 'listing':
      return toListingFacts((await findListings(db, shop, [ourId])).get(ourId) ?? null);
    case 'id':
      return { live: await store.read(wanted.id) };
    case 'stamp':
      return { stamp: await store.readStamp(wanted.id) };
    case 'our-id':
      return { live: await store.findByOurId(ourId) };
  }
}

/** Takes over a product that is being sent and reads it by our id. Throws PublishLater if its sender still lives. */
export async function takeOverAndRead({ db, session, sender }: PublishContext, ourId: string) {
  if (!(await takeOverSending(db, sender, { shop: session.shop, ourId }))) throw sentElsewhereError();
  return findOurProduct(session.client, ourId, session);
}

/** Returns the error that is thrown while another sender holds a product or one of the product's keys. */
export const sentElsewhereError = () =>
  new PublishLater('Another import is pushing this product right now.', { waitMs: sentElsewherePauseMs });

export const toListingFacts = (found: VersionedListing | null): Pick<KnownFacts, 'listing' | 'found'> => ({
  listing: listingOf(found),
  found,
});

/** Parses a listing. Only this package writes its drafts and baseline, so their JSON is not checked. */
function listingOf(found: VersionedListing | null): Listing | null {
  if (!found) return null;
  const { store_product_id, sending, sending_hash, sending_kind, sending_before } = found;
  return {
    pushed:
      store_product_id === null
        ? null
        : {
            storeProductId: store_product_id,
            sent: found.sent as DraftProduct,
            sentHash: found.sent_hash,
            rebuiltDraft: rebuildDraft(found.sent as DraftProduct, found.source as DraftSource | null),
            archivedByUndo:
              found.source === null &&
              found.state_id === null &&
              (found.sent as DraftProduct).status === 'archived',
            baseline: found.baseline as LiveProduct | null,
            before: found.before as LiveProduct | null,
            kept: found.kept as KeptValues | null,
          },
    sending:
      sending && sending_hash
        ? {
            draft: sending as DraftProduct,
            hash: sending_hash,
            kind: sending_kind,
            before: sending_before as LiveProduct | null,
            rebuiltDraft: rebuildDraft(sending as DraftProduct, found.sending_source as DraftSource | null),
            areKeysForgotten: found.knows_keys === false,
            kept: found.sending_kept as KeptValues | null,
          }
        : null,
  };
}
