import { setTimeout as pause } from 'node:timers/promises';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { StoreSyncRecord } from '@draftshelf/core/connection/schema';
import { lookUpInStore } from '@draftshelf/core/enrich/lookups/enqueue-lookups';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import { beginSync, failSync, readSync, storeSyncPage } from '@draftshelf/core/push/store/store-syncs';
import { isTaskOpen, joinTask } from '@draftshelf/core/work/background-tasks';
import type { TaskHandler, TaskRun } from '@draftshelf/queues/run-background';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { countStoreProducts, readStorePage } from '@draftshelf/shopify/store-pages';
import type { StoreConnection } from '../access/store-connection.ts';
import { requireStore } from '../access/store-reads.ts';

/** After this wait, a request replies with the progress, and the sync goes on. */
const waitMsMax = 50_000;
const lookMs = 250;
const pageMsMax = 30_000;

const shopMsMax = 8_000;

/** Returns the myshopify domain of a client's store. */
export type ShopOf = (client: ShopifyClient) => Promise<string>;

/** Each client's domain is read once: it never changes. A failed read is not kept. */
export function shopsByClient(): ShopOf {
  const known = new WeakMap<ShopifyClient, string>();
  return async (client) => {
    const found = known.get(client);
    if (found !== undefined) return found;
    const { shop } = await client.request('shop', {}, { signal: AbortSignal.timeout(shopMsMax) });
    known.set(client, shop.myshopifyDomain);
    return shop.myshopifyDomain;
  };
}

type Database = Pick<OpenDatabase, 'db'>;

/** Requests a sync of a shop, or joins the running one, and waits for its end or the time limit. */
export async function syncAndWait(
  { db }: Database,
  shop: string,
  wake: () => void,
): Promise<StoreSyncRecord> {
  await joinTask(db, 'sync-store', shop);
  wake();
  const until = performance.now() + waitMsMax;
  for (;;) {
    await pause(lookMs);
    const isOver = !(await isTaskOpen(db, 'sync-store', shop));
    const isLate = performance.now() > until;
    if (!isOver && !isLate) continue;
    const sync = await readSync(db, shop);
    if (sync) return sync;
    throw new Error(`No sync of ${shop} was begun`);
  }
}

/** Copies the products of a shop into our tables, while it is the connected one. */
export function syncStoreTask({ db }: Database, store: StoreConnection, shopOf: ShopOf): TaskHandler {
  return {
    async run(run) {
      const { subject: shop } = run.task;
      const { client } = await requireStore(store);
      if ((await shopOf(client)) !== shop) throw new Error('Another store is connected now.');
      await upsertShop(db, { shop, url: client.store.url, currency: null });
      let sync = await db.transaction().execute(async (trx) => {
        await run.lock(trx);
        return beginSync(trx, shop);
      });
      while (sync.ended_at === null && !run.signal.aborted) sync = await syncPage(db, client, sync, run);
      if (sync.ended_at === null) return 'more';
      await db.transaction().execute(lookUpInStore);
      return 'done';
    },
    onFailed: (trx, { subject }, error) =>
      failSync(trx, subject, error instanceof Error ? error.message : 'The sync stopped.'),
  };
}

async function syncPage(
  db: OpenDatabase['db'],
  client: ShopifyClient,
  sync: StoreSyncRecord,
  { signal, lock }: TaskRun,
): Promise<StoreSyncRecord> {
  const options = () => ({ signal: AbortSignal.any([signal, AbortSignal.timeout(pageMsMax)]) });
  const total = sync.total ?? (await countStoreProducts(client, options()));
  const page = await readStorePage(client, sync.cursor, options());
  return db.transaction().execute(async (trx) => {
    await lock(trx);
    return storeSyncPage(trx, sync, { ...page, total });
  });
}
