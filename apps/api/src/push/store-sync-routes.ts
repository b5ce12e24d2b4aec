import { setTimeout as pause } from 'node:timers/promises';
import { getSyncProgress, syncInventory } from '@draftshelf/contract/push/store';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { StoreSyncRecord } from '@draftshelf/core/connection/schema';
import { enqueueStoreLookups } from '@draftshelf/core/enrich/lookups/enqueue-lookups';
import { refreshDefinitions } from '@draftshelf/core/push/store/metafield-definitions';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import {
  beginStoreSync,
  failStoreSync,
  readStoreSync,
  saveSyncPage,
} from '@draftshelf/core/push/store/store-syncs';
import { isTaskOpen, requestTaskIfIdle } from '@draftshelf/core/work/background-tasks';
import type { TaskHandler, TaskRun } from '@draftshelf/queues/run-task';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { readProductDefinitions } from '@draftshelf/shopify/product-definitions';
import { countStoreProducts, readStorePage } from '@draftshelf/shopify/store-pages';
import type { StoreConnection } from '../access/store-connection.ts';
import { refuseStoreErrors, requireStore, type StoreReads } from '../access/store-reads.ts';
import { Refusal } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { createWireMapper } from '../http/wire-fields.ts';

/** Maximum wait for a sync. Then the request returns the progress, and the sync continues. */
const waitMsMax = 50_000;
const lookMs = 250;
const pageMsMax = 30_000;

const shopMsMax = 8_000;

const knownShops = new WeakMap<ShopifyClient, string>();

/** Returns the myshopify domain of a client's store. Read only once, because the domain never changes. */
async function shopOf(client: ShopifyClient): Promise<string> {
  const known = knownShops.get(client);
  if (known !== undefined) return known;
  const { shop } = await client.request('shop', {}, { signal: AbortSignal.timeout(shopMsMax) });
  knownShops.set(client, shop.myshopifyDomain);
  return shop.myshopifyDomain;
}

type Database = Pick<OpenDatabase, 'db'>;

/** Begins or joins the sync of a shop and waits for its end, or for the time limit. */
async function syncAndWait({ db }: Database, shop: string, wakeTasks: () => void): Promise<StoreSyncRecord> {
  await requestTaskIfIdle(db, 'sync-store', shop);
  wakeTasks();
  const until = performance.now() + waitMsMax;
  for (;;) {
    await pause(lookMs);
    const isOver = !(await isTaskOpen(db, 'sync-store', shop));
    const isLate = performance.now() > until;
    if (!isOver && !isLate) continue;
    const sync = await readStoreSync(db, shop);
    if (sync) return sync;
    throw new Error(`No sync of ${shop} was begun`);
  }
}

/** Copies the products of a shop into our tables. Fails if the shop is no longer connected. */
export function createStoreSyncTask({ db }: Database, store: StoreConnection): TaskHandler {
  return {
    async run(run) {
      const { subject: shop } = run.task;
      const { client } = await requireStore(store);
      if ((await shopOf(client)) !== shop) throw new Error('Another store is connected now.');
      await upsertShop(db, { shop, url: client.store.url, currency: null });
      const definitions = await readProductDefinitions(client, { signal: run.signal });
      await refreshDefinitions(db, shop, definitions);
      let sync = await db.transaction().execute(async (trx) => {
        await run.lock(trx);
        return beginStoreSync(trx, shop);
      });
      while (sync.ended_at === null && !run.signal.aborted) sync = await syncPage(db, client, sync, run);
      if (sync.ended_at === null) return 'more';
      await db.transaction().execute(enqueueStoreLookups);
      return 'done';
    },
    onFailed: (trx, { subject }, error) =>
      failStoreSync(trx, subject, error instanceof Error ? error.message : 'The sync stopped.'),
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
    return saveSyncPage(trx, sync, { ...page, total });
  });
}

type Deps = { store: StoreConnection; storeReads: StoreReads; wakeTasks: () => void };

export function serveStoreSync(api: Api, { store, storeReads, wakeTasks }: Deps): void {
  const { db, changes } = api;
  serve(api, syncInventory, async () => {
    const { client } = await requireStore(store);
    const sync = await syncAndWait(changes, await refuseStoreErrors(shopOf(client)), wakeTasks);
    if (sync.error !== null) throw new Refusal(502, { code: 'store_error', message: sync.error });
    storeReads.forget();
    return { success: true, ...progressOf(sync) };
  });
  serve(api, getSyncProgress, async () => {
    const { client } = await requireStore(store);
    const sync = await readStoreSync(db, await refuseStoreErrors(shopOf(client)));
    return sync ? progressOf(sync) : neverSynced;
  });
}

const neverSynced = { synced: 0, total: null, running: false, startedAt: null, endedAt: null, error: null };

const progressFields = createWireMapper(getSyncProgress.reply);

const progressOf = (sync: StoreSyncRecord) => ({ ...progressFields(sync), running: sync.ended_at === null });
