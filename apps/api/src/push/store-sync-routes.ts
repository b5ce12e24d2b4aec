import { getSyncProgress, syncInventory } from '@draftshelf/contract/push/store';
import type { StoreSyncRecord } from '@draftshelf/database/connection/schema';
import { readSync } from '@draftshelf/database/push/store/store-syncs';
import type { Logger } from '@draftshelf/runtime/logger';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import type { StoreConnection } from '../access/store-connection.ts';
import { orRefusal, requireStore, type StoreReads } from '../access/store-reads.ts';
import type { ApiDatabases } from '../http/databases.ts';
import { Refusal } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { createStoreSyncs } from './store-sync.ts';

type Deps = ApiDatabases & { store: StoreConnection; storeReads: StoreReads; logger: Logger };

const shopMsMax = 8_000;

/** Sync Inventory: the store's products into our copy, with its progress. */
export function serveStoreSync(api: Api, { database, changes, store, storeReads, logger }: Deps): void {
  const syncs = createStoreSyncs(changes.db, logger);
  api.app.addHook('onClose', () => syncs.stop());
  const shopOf = shopsByClient();
  serve(api, syncInventory, async () => {
    const { client } = await requireStore(store);
    const sync = await syncs.run(client, await orRefusal(shopOf(client)));
    if (sync.error !== null) throw new Refusal(502, { code: 'store_error', message: sync.error });
    storeReads.forget();
    return { success: true, ...progressOf(sync) };
  });
  serve(api, getSyncProgress, async () => {
    const { client } = await requireStore(store);
    const sync = await readSync(database.db, await orRefusal(shopOf(client)));
    return sync ? progressOf(sync) : neverSynced;
  });
}

const neverSynced = {
  synced: 0,
  total: null,
  running: false,
  startedAt: null,
  endedAt: null,
  error: null,
};

function progressOf({ synced, total, started_at, ended_at, error }: StoreSyncRecord) {
  return {
    synced,
    total,
    running: ended_at === null,
    startedAt: started_at.toISOString(),
    endedAt: ended_at?.toISOString() ?? null,
    error,
  };
}

/** The myshopify domain of each client's store, which never changes. A failed read is not kept. */
function shopsByClient(): (client: ShopifyClient) => Promise<string> {
  const known = new WeakMap<ShopifyClient, string>();
  return async (client) => {
    const found = known.get(client);
    if (found !== undefined) return found;
    const { shop } = await client.request('shop', {}, { signal: AbortSignal.timeout(shopMsMax) });
    known.set(client, shop.myshopifyDomain);
    return shop.myshopifyDomain;
  };
}
