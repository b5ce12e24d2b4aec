import type { Db } from '@draftshelf/core/connection/database';
import { insertLedgerEntries } from '@draftshelf/core/push/ledger';
import { recordSent, type VersionedListing } from '@draftshelf/core/push/listings';
import { insertStates } from '@draftshelf/core/push/pushed-states';
import { type ClaimHolder, endSending, lockClaims } from '@draftshelf/core/push/sending';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { decideSending } from '@draftshelf/shopify/product/as-sent';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { findProduct } from '@draftshelf/shopify/products';
import { pendingStock } from '../pending-stock.ts';
import { PublishStopped } from '../publish-errors.ts';
import { factsOf } from '../read-facts.ts';
import type { StoreSession } from '../store-session.ts';

type LeftBehind = {
  /** The chunk that has taken the product over. */
  chunk: ClaimHolder;
  /** The import and the push run that were sending it; null: not known. */
  importId: string | null;
  run: number | null;
  origin: 'undo' | 'gone';
  listing: VersionedListing;
};

/**
 * Resolves a write whose response was lost, by the product under our id. If it arrived, it is recorded so that it can
 * be undone. A product changed or deleted since counts as not arrived if its earlier state is known.
 */
export async function resolveSent(
  db: Db,
  session: StoreSession,
  { chunk, importId, run, origin, listing }: LeftBehind,
): Promise<void> {
  const { shop, our_id: ourId, sending, sending_hash: sentHash, sending_source: source } = listing;
  if (!sending || !sentHash) return;
  const live = await findProduct(session.client, ourId, session);
  const baseline = listing.baseline as LiveProduct | null;
  const draft = sending as DraftProduct;
  const verdict = decideSending(live, { draft, baseline });
  // A product that we created stays ours if it was changed since.
  const isNew = verdict === 'skip' && live !== null && listing.store_product_id === null;
  if (!live || (verdict !== 'record' && !isNew)) {
    await endSending(db, { chunk }, { shop, ourId });
    return;
  }
  await db.transaction().execute(async (trx) => {
    if ((await lockClaims(trx, [chunk])).size === 0) throw new PublishStopped();
    const states = await insertStates(trx, shop, [{ ourId, sentHash, importId, run }]);
    const arrived = { storeProductId: live.id, handle: live.handle, sent: arrivedOf(session, listing, live) };
    await recordSent(trx, shop, [{ ourId, ...arrived, sentHash, source }], states);
    await insertLedgerEntries(trx, [
      {
        ...{ origin, shop, our_id: ourId, import_id: importId, product: null, run },
        ...{ effect: listing.sending_kind === 'update' ? 'updated' : 'created', store_product_id: live.id },
        ...{ payload_hash: sentHash, cause: 'The response to the push was lost.' },
      },
    ]);
  });
}

/** Quantities follow their product. */
function arrivedOf(session: StoreSession, listing: VersionedListing, live: LiveProduct): DraftProduct {
  const { pushed, sending } = factsOf(listing).listing ?? {};
  const stock = sending && pendingStock({ store: session }, pushed ?? null, sending, live);
  return stock?.arrived ?? (listing.sending as DraftProduct);
}
