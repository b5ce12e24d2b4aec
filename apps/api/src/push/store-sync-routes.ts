import { getSyncProgress, syncInventory } from '@draftshelf/contract/push/store';
import type { StoreSyncRecord } from '@draftshelf/core/connection/schema';
import { readSync } from '@draftshelf/core/push/store/store-syncs';
import type { StoreConnection } from '../access/store-connection.ts';
import { orRefusal, requireStore, type StoreReads } from '../access/store-reads.ts';
import type { ApiDatabases } from '../http/databases.ts';
import { Refusal } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { type ShopOf, syncAndWait } from './store-sync.ts';

type Deps = ApiDatabases & {
  store: StoreConnection;
  storeReads: StoreReads;
  shopOf: ShopOf;
  wakeTasks: () => void;
};

export function serveStoreSync(api: Api, deps: Deps): void {
  const { database, changes, store, storeReads, shopOf, wakeTasks } = deps;
  serve(api, syncInventory, async () => {
    const { client } = await requireStore(store);
    const sync = await syncAndWait(changes, await orRefusal(shopOf(client)), wakeTasks);
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

const neverSynced = { synced: 0, total: null, running: false, startedAt: null, endedAt: null, error: null };

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
