import type { Db } from '@draftshelf/database/connection/database';
import { savedStores } from '@draftshelf/database/credentials/saved-stores';
import type { SealingKeys } from '@draftshelf/database/credentials/sealing';
import { pointsReservedForPushes, storeBudget } from '@draftshelf/database/push/store-budget';
import { storeSessions } from '@draftshelf/publishing/store-session';
import type { Logger } from '@draftshelf/runtime/logger';
import { type Budget, createShopifyClient, type ShopifyClient } from '@draftshelf/shopify/client';
import { openStores } from '@draftshelf/shopify/stores';
import type { readConfig } from './config.ts';
import type { PlanningStore } from './plan-push.ts';

/** The stores for plans: their clients take points only if many are left, so that pushes go first. */
export function planningStores({
  db,
  env,
  keys,
  logger,
}: {
  db: Db;
  env: ReturnType<typeof readConfig>;
  keys: SealingKeys | null;
  logger: Logger;
}): { current(): Promise<PlanningStore | null> } {
  const taken = new WeakMap<ShopifyClient, () => number>();
  const sessions = storeSessions();
  const stores = openStores({
    fromEnv: env.store,
    apiVersion: env.SHOPIFY_API_VERSION,
    saved: savedStores(db, keys),
    createClient(store) {
      const { budget, points } = counted(storeBudget(db, store.url, pointsReservedForPushes));
      const client = createShopifyClient(store, { budget, logger });
      taken.set(client, points);
      return client;
    },
  });
  return {
    async current() {
      const store = await stores.current();
      if (!store) return null;
      const { client } = store;
      return {
        client,
        openSession: (signal) => sessions.open(client, signal),
        points: taken.get(client) ?? (() => 0),
      };
    },
  };
}

/** A budget that counts the points taken from it. */
function counted(budget: Budget): { budget: Budget; points(): number } {
  let taken = 0;
  const reserve: Budget['reserve'] = async (points, signal) => {
    const reservation = await budget.reserve(points, signal);
    taken += points;
    return reservation;
  };
  return { budget: { ...budget, reserve }, points: () => taken };
}
