import type { StoreProduct } from '@draftshelf/contract/store';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { readCollections } from '@draftshelf/shopify/collections';
import { readRecentProducts, type StoreListProduct } from '@draftshelf/shopify/recent-products';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/store-errors';
import { memoizeFor } from './memoize-for.ts';
import { conflict, Refusal } from './refusal.ts';
import type { StoreConnection } from './store-connection.ts';

type ShownCollection = { id: number; title: string };

/** Reads of the store for screens, from copies of at most 30 s: screens must not spend the points of a push. */
export type StoreReads = {
  /** The products that were changed last. Throws a Refusal if the store does not answer. */
  products(limit: number): Promise<StoreProduct[]>;
  /** The collections that take products, and 'All Products'. Throws a Refusal if the store does not answer. */
  collections(): Promise<ShownCollection[]>;
  /** Clears the copies, after a change that a screen should show. */
  forget(): void;
};

const keptMs = 30_000;
const readMsMax = 20_000;
/** Reads are of one of these sizes, so that few copies serve every limit. */
const readSizes = [50, 100, 250];

/** The specification's default collection, which the store may not have. */
const allProducts = 'All Products';

export function createStoreReads(store: StoreConnection): StoreReads {
  const options = () => ({ signal: AbortSignal.timeout(readMsMax) });
  const products = memoizeFor(
    async (size) => {
      const { client } = await requireStore(store);
      return (await orRefusal(readRecentProducts(client, Number(size), options()))).map(toStoreProduct);
    },
    { msMax: keptMs, keysMax: readSizes.length },
  );
  const collections = memoizeFor(
    async () => {
      const { client } = await requireStore(store);
      return shownCollections(await orRefusal(readCollections(client, options())));
    },
    { msMax: keptMs, keysMax: 1 },
  );
  return {
    async products(limit) {
      const size = readSizes.find((one) => one >= limit) ?? limit;
      return (await products.get(String(size))).slice(0, limit);
    },
    collections: async () => collections.get(''),
    forget() {
      products.forget();
      collections.forget();
    },
  };
}

/** The store that is set now. Throws a 409 if there is none. */
export async function requireStore(store: StoreConnection): Promise<{ client: ShopifyClient }> {
  const current = await store.current();
  if (current) return current;
  throw conflict('No store is connected. Enter its address and credentials in Settings.');
}

/** The result of a call to the store. Its errors become a 502 with their sentence. */
export async function orRefusal<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const isOfStore = error instanceof StoreRefused || error instanceof StoreUnavailable;
    if (isOfStore) throw new Refusal(502, { code: 'store_error', message: error.message });
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
    throw new Refusal(502, { code: 'store_error', message: 'The store took too long to respond.' });
  }
}

/** Shopify's REST shape, which the specification's screens read. */
function toStoreProduct(product: StoreListProduct): StoreProduct {
  return {
    id: product.id,
    title: product.title,
    vendor: product.vendor,
    status: product.status.toLowerCase(),
    product_type: product.productType,
    handle: product.handle,
    images: product.images.map(({ url, alt }) => ({ src: url, alt })),
    variants: product.variants.map(({ price, quantity }) => ({ price, inventory_quantity: quantity })),
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
