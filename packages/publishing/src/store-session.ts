import type { ShopifyClient } from '@draftshelf/shopify/client';
import { type Collection, readCollections } from '@draftshelf/shopify/collections';
import { ensureMetafieldDefinitions } from '@draftshelf/shopify/ensure-definitions';
import { stockLocationId } from '@draftshelf/shopify/locations';
import { requireScopes } from '@draftshelf/shopify/scopes';

/** What publishing needs to know about the store, read once. */
export type StoreSession = {
  client: ShopifyClient;
  /** The myshopify domain, under which listings are stored: the address may change, this does not. */
  shop: string;
  /** Where quantities are stocked; null when the store has no location that ships. */
  locationId: string | null;
  collections: readonly Collection[];
  /** The currency in which the store takes prices. */
  currency: string;
};

const keptMs = 10 * 60 * 1000;

/** Returns the store's session, and reads it again every ten minutes. A failed read is not kept. */
export function storeSessions(client: ShopifyClient): (signal: AbortSignal) => Promise<StoreSession> {
  let session: Promise<StoreSession> | undefined;
  let readAt = 0;
  return (signal) => {
    if (!session || Date.now() - readAt > keptMs) {
      readAt = Date.now();
      const reading = readSession(client, signal);
      session = reading;
      reading.catch(() => {
        if (session === reading) session = undefined;
      });
    }
    return session;
  };
}

async function readSession(client: ShopifyClient, signal: AbortSignal): Promise<StoreSession> {
  await requireScopes(client, { signal });
  const { shop } = await client.request('shop', {}, { signal });
  await ensureMetafieldDefinitions(client, { signal });
  return {
    client,
    shop: shop.myshopifyDomain,
    locationId: await stockLocationId(client, { signal }),
    collections: await readCollections(client, { signal }),
    currency: shop.currencyCode,
  };
}
