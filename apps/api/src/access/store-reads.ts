import { type StoreProduct, storeProductsMax } from '@draftshelf/contract/push/store';
import type { StoreWritePosition } from '@draftshelf/core/push/ledger';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { readCollections } from '@draftshelf/shopify/collections';
import { readProductDefinitions } from '@draftshelf/shopify/product-definitions';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/store-errors';
import { readRecentProducts, type StoreListProduct } from '@draftshelf/shopify/store-pages';
import { memoizeByKey } from '../http/memoize-for.ts';
import { conflict, Refusal } from '../http/refusal.ts';
import type { StoreConnection } from './store-connection.ts';

type ShownCollection = { id: number; title: string };

export type StoreReads = ReturnType<typeof createStoreReads>;

const collectionsKeptMs = 30_000;
/** Short, because a person who adds a missing definition in the store expects to see it on our screen at once. */
const definitionsKeptMs = 2_000;
const readMsMax = 20_000;

/** The default collection, which the store may lack. */
const allProducts = 'All Products';

type ProductsCopy = StoreCopy & { client: ShopifyClient; products: Promise<StoreProduct[]> };

const readOptions = () => ({ signal: AbortSignal.timeout(readMsMax) });

/** Reads the store for screens, from cached copies, so that screens do not use up the points of a push. */
export function createStoreReads(store: StoreConnection, readWrites: () => Promise<StoreWritePosition>) {
  // One copy of the longest list serves all limits, so that lists of different lengths agree.
  let copy: ProductsCopy | undefined;
  const begin = (client: ShopifyClient, now: StoreCopy): ProductsCopy => {
    const read = refuseStoreErrors(readRecentProducts(client, storeProductsMax, readOptions()));
    const begun = { ...now, client, products: read.then((all) => all.map(toStoreProduct)) };
    begun.products.catch(() => {
      if (copy === begun) copy = undefined;
    });
    return begun;
  };
  const collections = memoizeByKey(
    async () => {
      const { client } = await requireStore(store);
      return shownCollections(await refuseStoreErrors(readCollections(client, readOptions())));
    },
    { msMax: collectionsKeptMs, keysMax: 1 },
  );
  const definitions = memoizeByKey(
    async () => {
      const current = await store.current();
      if (!current) return null;
      const [{ shop }, found] = await Promise.all([
        current.client.request('shop', {}, readOptions()),
        readProductDefinitions(current.client, readOptions()),
      ]);
      return { shop: shop.myshopifyDomain, definitions: found };
    },
    { msMax: definitionsKeptMs, keysMax: 1 },
  );
  return {
    /** Returns the products changed last. `isCurrent` decides how recent they are. Throws a Refusal on failure. */
    async products(limit: number): Promise<StoreProduct[]> {
      const { client } = await requireStore(store);
      // Read the position of writes before reading the store, so that a write during the read makes the copy outdated.
      const now = { writes: await readWrites(), atMs: performance.now() };
      const known = copy?.client === client && isCurrent(copy, now) ? copy : undefined;
      copy = known ?? begin(client, now);
      return (await copy.products).slice(0, limit);
    },
    /** Returns the collections for products, and 'All Products'. Throws a Refusal if the store does not answer. */
    collections: (): Promise<ShownCollection[]> => collections.get(''),
    /** Returns the definitions of product metafields. Null if no store is connected or if the store does not answer. */
    async definitions() {
      try {
        return await definitions.get('');
      } catch {
        return null;
      }
    },
    forget() {
      copy = undefined;
      collections.forget();
      definitions.forget();
    },
  };
}

export async function requireStore(store: StoreConnection): Promise<{ client: ShopifyClient }> {
  const current = await store.current();
  if (current) return current;
  throw conflict('No store is connected. Enter its address and credentials in Settings.');
}

/** Returns the result of a call to the store. Turns errors of the store into a Refusal (502) with their sentence. */
export async function refuseStoreErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const isOfStore = error instanceof StoreRefused || error instanceof StoreUnavailable;
    if (isOfStore) throw new Refusal(502, { code: 'store_error', message: error.message });
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
    throw new Refusal(502, { code: 'store_error', message: 'The store took too long to respond.' });
  }
}

/** Converts a product to the shape of Shopify's REST API. */
function toStoreProduct(product: StoreListProduct): StoreProduct {
  const { title, vendor, handle } = product;
  return {
    ...{ id: Number(product.legacyResourceId), title, vendor, handle, product_type: product.productType },
    status: product.status.toLowerCase(),
    // Only pictures that the store has downloaded have a preview.
    images: product.media.nodes.flatMap(({ alt, preview }) =>
      preview?.image ? [{ src: preview.image.url, alt }] : [],
    ),
    variants: product.variants.nodes.map(({ price, inventoryQuantity }) => ({
      ...{ price, inventory_quantity: inventoryQuantity ?? 0 },
    })),
    updated_at: product.updatedAt,
  };
}

function shownCollections(all: readonly { id: string; title: string; smart: boolean }[]): ShownCollection[] {
  const isAll = ({ title }: { title: string }) => title.trim().toLowerCase() === allProducts.toLowerCase();
  const number = (gid: string) => Number(gid.slice(gid.lastIndexOf('/') + 1));
  const known = all.find(isAll);
  return [
    { id: known ? number(known.id) : 0, title: known?.title ?? allProducts },
    ...all.filter((one) => !one.smart && !isAll(one)).map(({ id, title }) => ({ id: number(id), title })),
  ];
}

type StoreCopy = { atMs: number; writes: StoreWritePosition };

/** The longest time until changes made in the store itself appear. */
const keptMs = 30_000;
/** Maximum age of a copy during a push. Reading the store after each write would use up the push's points. */
const keptWhilePushingMs = 5_000;

/** Returns whether a copy is valid: for 30 s or until the next write; writes of a running push count after 5 s. */
export function isCurrent({ atMs, writes }: StoreCopy, now: StoreCopy): boolean {
  const ageMs = now.atMs - atMs;
  if (ageMs >= keptMs || now.writes.ended !== writes.ended) return false;
  return now.writes.last === writes.last || (now.writes.isPushing && ageMs < keptWhilePushingMs);
}
