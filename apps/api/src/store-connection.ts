import { productAdminUrl, type ShopifyClient, storeOrigin } from '@draftshelf/shopify/client';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/errors';

type StoreTest = { ok: boolean; message: string };

/** The store as the screens see it: whether it answers, and where its admin stands. */
export type StoreConnection = {
  shopDomain: string;
  adminUrl: string;
  /** Where a product opens in the store's admin. */
  productUrl(productId: string): string;
  /** Asks the store now. */
  test(): Promise<StoreTest>;
  /** What the store answered within the last minute, else what it answers now. */
  lastTest(): Promise<StoreTest>;
};

/** A person waits for the answer. */
const testMsMax = 8_000;
const testKeptMs = 60_000;

/** `client` draws on the budget that all processes share. Throws if the store's URL cannot be used. */
export function createStoreConnection(client: ShopifyClient): StoreConnection {
  const { url } = client.store;
  let last: { test: Promise<StoreTest>; atMs: number } | undefined;
  const test = () => {
    const asked = { test: ask(client), atMs: Date.now() };
    last = asked;
    // What was not asked (the budget's database was away) is no answer to keep.
    asked.test.catch(() => {
      if (last === asked) last = undefined;
    });
    return asked.test;
  };
  return {
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
