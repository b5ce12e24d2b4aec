import { readStoreCurrency, upsertShop } from '@draftshelf/core/push/store/shops';
import { productAdminUrl } from '@draftshelf/shopify/client';
import type { OpenStore, Stores } from '@draftshelf/shopify/stores';
import { type StoreTestResult, testStore } from '@draftshelf/shopify/test-store';
import type { ApiDatabases } from '../http/databases.ts';

/** The result without a store: none is set, or the saved credentials cannot be read. */
type NotConfigured = Omit<StoreTestResult, 'state'> & { state: 'not-configured' };

function notConfigured(problem: string | null): NotConfigured {
  const message =
    problem === null
      ? 'No store is connected. Enter its address and credentials in Settings.'
      : 'No store is connected: its saved credentials can’t be read. Enter them again in Settings.';
  return { ok: false, state: 'not-configured', message, detail: problem, shop: null, currency: null };
}

export type ConnectionTest = StoreTestResult | NotConfigured;

export type StoreConnection = ReturnType<typeof createStoreConnection>;

const testKeptMs = 60_000;
/** Age at which a failed test is repeated. It is short, so that screens soon show that the store is back. */
const failureKeptMs = 5_000;

/** Reads and tests the connected store. All clients of `stores`, in all processes, share one budget of points. */
export function createStoreConnection(
  stores: Stores,
  { database, changes }: Pick<ApiDatabases, 'database' | 'changes'>,
) {
  let last: { store: OpenStore; test: Promise<StoreTestResult>; keptUntilMs: number } | undefined;
  const testAndLearn = async (store: OpenStore) => {
    const result = await testStore(store.client);
    const { shop, currency } = result;
    if (shop !== null && currency !== null) await upsertShop(changes.db, { shop, currency, url: store.url });
    return result;
  };
  const begin = (store: OpenStore) => {
    const entry = { store, test: testAndLearn(store), keptUntilMs: Number.POSITIVE_INFINITY };
    last = entry;
    entry.test.then(
      ({ ok }) => {
        entry.keptUntilMs = performance.now() + (ok ? testKeptMs : failureKeptMs);
      },
      // Do not cache a test that failed before its request, for example because the budget's database was unavailable.
      () => {
        if (last === entry) last = undefined;
      },
    );
    return entry.test;
  };
  const recentOf = (store: OpenStore) =>
    last?.store === store && performance.now() < last.keptUntilMs ? last.test : begin(store);
  const testBy = async (test: (store: OpenStore) => Promise<StoreTestResult>): Promise<ConnectionTest> => {
    const store = await stores.current();
    return store === null ? notConfigured(await stores.problem()) : test(store);
  };
  return {
    current: (): Promise<OpenStore | null> => stores.current(),
    test: () => testBy(begin),
    /** Returns the result of a recent or new test of the current store. Concurrent callers share one new test. */
    lastTest: () => testBy(recentOf),
    /** Returns the current store's currency. Null without a store, and until a test or push has read the currency. */
    async currency(): Promise<string | null> {
      const store = await stores.current();
      if (store === null) return null;
      return readStoreCurrency(database.db, store.source === 'server' ? store.url : null);
    },
  };
}

/** Returns the URL of a product in the admin of the store at `url`. Null if the store or product is not known. */
export function createProductUrl(url: string | undefined, productId: string | null): string | null {
  return url === undefined || productId === null ? null : productAdminUrl(url, productId);
}
