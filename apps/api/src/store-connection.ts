import { productAdminUrl, type ShopifyClient, storeOrigin } from '@draftshelf/shopify/client';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/store-errors';

type StoreTest = { ok: boolean; message: string };

/** The store for the screens: whether it responds, and the URLs of its admin. */
export type StoreConnection = {
  /** The store's client; null if no store is set. */
  current(): Promise<{ client: ShopifyClient } | null>;
  shopDomain: string;
  adminUrl: string;
  /** The URL of a product in the store's admin. */
  productUrl(productId: string): string;
  /** Tests the connection now. */
  test(): Promise<StoreTest>;
  /** The result of a test within the last minute, else of a new one. */
  lastTest(): Promise<StoreTest>;
};

/** Short, because an operator waits for the result. */
const testMsMax = 8_000;
const testKeptMs = 60_000;

/** `client` uses the budget shared by all processes. Throws if the store's URL is invalid. */
export function createStoreConnection(client: ShopifyClient): StoreConnection {
  const { url } = client.store;
  let last: { test: Promise<StoreTest>; atMs: number } | undefined;
  const test = () => {
    const entry = { test: ask(client), atMs: Date.now() };
    last = entry;
    // Do not cache a test that failed before the request, for example without the budget's database.
    entry.test.catch(() => {
      if (last === entry) last = undefined;
    });
    return entry.test;
  };
  return {
    current: async () => ({ client }),
    shopDomain: new URL(url).host,
    adminUrl: `${storeOrigin(url)}/admin`,
    productUrl: (productId) => productAdminUrl(url, productId),
    test,
    lastTest: () => (last && Date.now() - last.atMs < testKeptMs ? last.test : test()),
  };
}

async function ask(client: ShopifyClient): Promise<StoreTest> {
  const signal = AbortSignal.timeout(testMsMax);
  try {
    const { shop } = await client.request('shop', {}, { signal });
    return { ok: true, message: `Connected to ${shop.name}.` };
  } catch (error) {
    if (error instanceof StoreRefused || error instanceof StoreUnavailable) {
      return { ok: false, message: error.message };
    }
    if (signal.aborted) return { ok: false, message: 'The store took too long to respond.' };
    throw error;
  }
}
