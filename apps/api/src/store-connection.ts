import { productAdminUrl } from '@draftshelf/shopify/client';
import type { OpenStore, Stores } from '@draftshelf/shopify/stores';
import { type StoreTest, testStore } from '@draftshelf/shopify/test-store';

/** Why there is no store to test: none is set. */
export const notConfigured = {
  ok: false,
  state: 'not-configured',
  message: 'No store is connected. Enter its address and credentials in Settings.',
  detail: null,
  shop: null,
} as const;

export type ConnectionTest = StoreTest | typeof notConfigured;

/** The store for the screens: which one is set, and whether it responds. */
export type StoreConnection = {
  /** The store that is set now, or null. Saved credentials may change it at any time. */
  current(): Promise<OpenStore | null>;
  /** Tests the connection now. */
  test(): Promise<ConnectionTest>;
  /** The result of a test of the current store within the last minute, else of a new one. */
  lastTest(): Promise<ConnectionTest>;
};

const testKeptMs = 60_000;

/** `stores`: their clients use the budget shared by all processes. */
export function createStoreConnection(stores: Stores): StoreConnection {
  let last: { store: OpenStore; test: Promise<StoreTest>; atMs: number } | undefined;
  const begin = (store: OpenStore) => {
    const entry = { store, test: testStore(store.client), atMs: Date.now() };
    last = entry;
    // Do not cache a test that failed before the request, for example without the budget's database.
    entry.test.catch(() => {
      if (last === entry) last = undefined;
    });
    return entry.test;
  };
  return {
    current: () => stores.current(),
    async test() {
      const store = await stores.current();
      return store === null ? notConfigured : begin(store);
    },
    async lastTest() {
      const store = await stores.current();
      if (store === null) return notConfigured;
      const isRecent = last?.store === store && Date.now() - last.atMs < testKeptMs;
      return last && isRecent ? last.test : begin(store);
    },
  };
}

/** The URL of a product in the admin of the store at `url`; null if the store is not known. */
export function productUrlIn(url: string | undefined, productId: string | null): string | null {
  return url === undefined || productId === null ? null : productAdminUrl(url, productId);
}
