import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '@draftshelf/database/connection/database';
import { recordShop } from '@draftshelf/database/push/push-shop';
import type { StoreSyncRecord } from '@draftshelf/database/schema';
import { beginSync, failSync, readSync, storeSyncPage } from '@draftshelf/database/store/store-syncs';
import { lookUpInStore } from '@draftshelf/imports/lookups/enqueue-lookups';
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
    const sync = syncPages(db, client, shop, stopped.signal).catch(async (err: unknown) => {
      if (stopped.signal.aborted) return;
      logger.warn({ err, shop }, 'a sync of the store stopped');
      const message = err instanceof Error ? err.message : 'The sync stopped.';
      await failSync(db, shop, message).catch(() => {});
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

/** Reads the store page by page; each page is stored with the progress. */
async function syncPages(db: Db, client: ShopifyClient, shop: string, stopped: AbortSignal): Promise<void> {
  await recordShop(db, { shop, url: client.store.url, currency: null });
  const sync = await beginSync(db, shop);
  if (!sync) return;
  const options = () => ({ signal: AbortSignal.any([stopped, AbortSignal.timeout(pageMsMax)]) });
  let total = sync.total ?? (await countStoreProducts(client, options()));
  let after = sync.cursor;
  do {
    const page = await readStorePage(client, after, options());
    const stored = await db.transaction().execute((trx) => storeSyncPage(trx, sync, { ...page, total }));
    total = stored.total ?? total;
    after = page.next;
  } while (after !== null && !stopped.aborted);
  if (after === null) await db.transaction().execute(lookUpInStore);
}
