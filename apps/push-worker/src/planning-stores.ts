import type { Db } from '@draftshelf/core/connection/database';
import { pointsReservedForPushes, storeBudget } from '@draftshelf/core/push/store/store-budget';
import { storeSessions } from '@draftshelf/publishing/store-session';
import type { Logger } from '@draftshelf/runtime/logger';
import type { PlainFetch } from '@draftshelf/runtime/plain-fetch';
import { type Budget, createShopifyClient, type ShopifyClient, type Store } from '@draftshelf/shopify/client';
import type { Stores } from '@draftshelf/shopify/stores';
import type { PlanningStore } from './preview-part.ts';

/** Opens the stores of this process, with clients of one kind. */
export type OpenStores = (createClient: (store: Store) => ShopifyClient) => Stores;

/** Clients of these stores take points only if many are left, so that pushes go first. */
export function planningStores(
  db: Db,
  open: OpenStores,
  calls: { logger: Logger; fetch: PlainFetch },
): { current(): Promise<PlanningStore | null> } {
  const spentBy = new WeakMap<ShopifyClient, PlanningStore['spent']>();
  const sessions = storeSessions();
  const stores = open((store) => {
    const { budget, spent } = counted(storeBudget(db, store.url, pointsReservedForPushes));
    const client = createShopifyClient(store, { budget, ...calls });
    spentBy.set(client, spent);
    return client;
  });
  return {
    async current() {
      const store = await stores.current();
      if (!store) return null;
      const { client } = store;
      return {
        client,
        openSession: (signal) => sessions.open(client, signal),
        spent: spentBy.get(client) ?? (() => ({ points: 0, waitedMs: 0 })),
      };
    },
  };
}

/** Counts the points taken from a budget, and the time in which at least one call waited for points. */
function counted(budget: Budget): { budget: Budget; spent: PlanningStore['spent'] } {
  let points = 0;
  let waitedMs = 0;
  let waiting = 0;
  let since = 0;
  const reserve: Budget['reserve'] = async (wanted, signal) => {
    if (waiting === 0) since = performance.now();
    waiting += 1;
    try {
      const reservation = await budget.reserve(wanted, signal);
      points += wanted;
      return reservation;
    } finally {
      waiting -= 1;
      if (waiting === 0) waitedMs += performance.now() - since;
    }
  };
  const spent = () => ({ points, waitedMs: waitedMs + (waiting > 0 ? performance.now() - since : 0) });
  return { budget: { ...budget, reserve }, spent };
}
