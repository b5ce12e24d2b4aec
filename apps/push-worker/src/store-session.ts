import { createHash } from 'node:crypto';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { ensureMetafieldDefinitions } from '@draftshelf/shopify/ensure-definitions';
import type { DocumentReply } from '@draftshelf/shopify/replies';

/** What a push needs to know of the store, read once. */
export type StoreSession = {
  client: ShopifyClient;
  /** The myshopify domain, under which listings are kept: an address may change, it does not. */
  shop: string;
  /** Where quantities lie; null where the store has no location that ships. */
  locationId: string | null;
  /** Collections that take products by hand, by lower-case title. */
  collections: ReadonlyMap<string, string>;
};

const keptMs = 10 * 60 * 1000;
const collectionsPerPage = 100;

/** Answers the store's session, read again every ten minutes; a failed read is not kept. */
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
  const { shop } = await client.request('shop', {}, { signal });
  await ensureMetafieldDefinitions(client, { signal });
  const { locations } = await client.request('locations', {}, { signal });
  const location = locations.nodes.find((one) => one.isActive && one.shipsInventory);
  return {
    client,
    shop: shop.myshopifyDomain,
    locationId: location?.id ?? null,
    collections: await readCollections(client, signal),
  };
}

async function readCollections(client: ShopifyClient, signal: AbortSignal): Promise<Map<string, string>> {
  const byTitle = new Map<string, string>();
  let after: string | null = null;
  do {
    const page: DocumentReply<'collections'> = await client.request(
      'collections',
      { first: collectionsPerPage, after },
      { signal },
    );
    for (const { id, title, sources } of page.collections.nodes) {
      const smart = sources.some((source) => (source.inclusion?.conditions.length ?? 0) > 0);
      if (!smart) byTitle.set(title.trim().toLowerCase(), id);
    }
    after = page.collections.pageInfo.hasNextPage ? (page.collections.pageInfo.endCursor ?? null) : null;
  } while (after !== null);
  return byTitle;
}

/**
 * Our id of a product: of the file's content and the place of the product's first record in it, so that the same
 * file uploaded twice meets the same products.
 */
export function ourIdOf(sha256: string, byteFrom: number): string {
  return createHash('sha256').update(`${sha256}:${byteFrom}`).digest('hex').slice(0, 32);
}
