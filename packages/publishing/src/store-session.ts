import { isSimulatedStore, type ShopifyClient } from '@draftshelf/shopify/client';
import { type Collection, readCollections } from '@draftshelf/shopify/collections';
import { findStockLocationId } from '@draftshelf/shopify/locations';
import { ensureIdDefinition } from '@draftshelf/shopify/product-definitions';
import { requireScopes } from '@draftshelf/shopify/test-store';

export type StoreSession = {
  client: ShopifyClient;
  /** The myshopify domain. Listings are stored under it, because it never changes, unlike the store's address. */
  shop: string;
  /** The location of our quantities. Null if the store has no location that ships. */
  locationId: string | null;
  collections: readonly Collection[];
  /** Whether a variant with new option values is known to keep its stock. */
  canRename: boolean;
  currency: string;
};

const keptMs = 10 * 60 * 1000;

export type StoreSessions = { open(client: ShopifyClient, signal: AbortSignal): Promise<StoreSession> };

/** Returns an opener of store sessions. Each session is kept for ten minutes; a failed read is not kept. */
export function storeSessions(): StoreSessions {
  const kept = new WeakMap<ShopifyClient, { session: Promise<StoreSession>; readAt: number }>();
  return {
    open(client, signal) {
      const before = kept.get(client);
      if (before && performance.now() - before.readAt <= keptMs) return before.session;
      const entry = { session: readSession(client, signal), readAt: performance.now() };
      kept.set(client, entry);
      entry.session.catch(() => {
        if (kept.get(client) === entry) kept.delete(client);
      });
      return entry.session;
    },
  };
}

async function readSession(client: ShopifyClient, signal: AbortSignal): Promise<StoreSession> {
  await requireScopes(client, { signal });
  // In parallel, because a push waits for the results.
  const [{ shop }, locationId, collections] = await Promise.all([
    client.request('shop', {}, { signal }),
    findStockLocationId(client, { signal }),
    readCollections(client, { signal }),
    ensureIdDefinition(client, { signal }),
  ]);
  return {
    client,
    shop: shop.myshopifyDomain,
    locationId,
    collections,
    // Only the simulator has been tested: there, a renamed variant keeps its stock.
    canRename: isSimulatedStore(client.store),
    currency: shop.currencyCode,
  };
}
