import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '@draftshelf/database/connection/database';
import type { StoreSyncRecord } from '@draftshelf/database/connection/schema';
import { upsertShop } from '@draftshelf/database/push/store/shops';
import {
  beginSync,
  failSync,
  type RunningSync,
  readSync,
  storeSyncPage,
} from '@draftshelf/database/push/store/store-syncs';
import { lookUpInStore } from '@draftshelf/imports/enrich/lookups/enqueue-lookups';
import type { Logger } from '@draftshelf/runtime/logger';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { countStoreProducts, readStorePage } from '@draftshelf/shopify/store-pages';

/** A request waits this long for a sync. After that it replies with the progress, and the sync goes on. */
const waitMsMax = 50_000;
/** How often a sync of another process is looked at. */
const lookMs = 500;
const pageMsMax = 30_000;

/** Syncs of the store's products into our copy. */
export type StoreSyncs = {
  /** Begins a sync of a shop, or joins the one that runs, and waits for its end or the time limit. */
  run(client: ShopifyClient, shop: string): Promise<StoreSyncRecord>;
  /** Stops the syncs of this process after their current page; another process or start continues them. */
  stop(): Promise<void>;
};

export function createStoreSyncs(db: Db, logger: Logger): StoreSyncs {
  /** By shop. */
  const running = new Map<string, Promise<void>>();
  const stopped = new AbortController();

  function begin(client: ShopifyClient, shop: string): void {
    if (running.has(shop) || stopped.signal.aborted) return;
    const sync = syncShop(db, client, shop, stopped.signal).catch((err: unknown) => {
      if (!stopped.signal.aborted) logger.warn({ err, shop }, 'a sync of the store stopped');
    });
    running.set(
      shop,
      sync.finally(() => running.delete(shop)),
    );
  }

  return {
    async run(client, shop) {
      begin(client, shop);
      const until = performance.now() + waitMsMax;
      for (;;) {
        const own = running.get(shop);
        await (own ? Promise.race([own, pause(lookMs)]) : pause(lookMs));
        const sync = await readSync(db, shop);
        const isOver = sync !== undefined && sync.ended_at !== null && !running.has(shop);
        if (isOver || (sync && performance.now() > until)) return sync;
        if (performance.now() > until) throw new Error(`No sync of ${shop} was begun`);
      }
    },
    async stop() {
      stopped.abort();
      await Promise.all(running.values());
    },
  };
}

/** Syncs a shop unless another process does. What stops the sync is stored with it. */
async function syncShop(db: Db, client: ShopifyClient, shop: string, stopped: AbortSignal): Promise<void> {
  await upsertShop(db, { shop, url: client.store.url, currency: null });
  let sync = await beginSync(db, shop);
  try {
    while (sync && sync.ended_at === null && !stopped.aborted) {
      sync = await syncPage(db, client, sync, stopped);
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The sync stopped.';
    if (sync && !stopped.aborted) await failSync(db, sync, message).catch(() => {});
    throw error;
  }
  if (sync?.ended_at) await db.transaction().execute(lookUpInStore);
}

/** Reads a page of the store and stores it with the progress; undefined: another process goes on. */
async function syncPage(
  db: Db,
  client: ShopifyClient,
  sync: RunningSync,
  stopped: AbortSignal,
): Promise<RunningSync | undefined> {
  const options = () => ({ signal: AbortSignal.any([stopped, AbortSignal.timeout(pageMsMax)]) });
  const total = sync.total ?? (await countStoreProducts(client, options()));
  const page = await readStorePage(client, sync.cursor, options());
  return db.transaction().execute((trx) => storeSyncPage(trx, sync, { ...page, total }));
}
