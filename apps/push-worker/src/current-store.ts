import { claimRunShop, type PushRun } from '@draftshelf/core/push/push-run';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import type { StoreSession, StoreSessions } from '@draftshelf/publishing/store-session';
import { StageFailed } from '@draftshelf/queues/chunk-errors';
import type { ChunkWork } from '@draftshelf/queues/run-chunk';
import type { Stores } from '@draftshelf/shopify/stores';

/** Opens the store that the run began with, even if another one is connected now. Throws StageFailed if it is gone. */
export async function currentStore(
  work: ChunkWork,
  run: PushRun,
  { stores, sessions }: { stores: Stores; sessions: StoreSessions },
): Promise<StoreSession> {
  const { chunk, signal } = work;
  const { db } = work.database;
  const store = run.shop === null ? await stores.current() : await stores.ofShop(run.shop);
  if (store === null) {
    if ((await stores.problem()) !== null) throw new StageFailed(unreadable);
    throw new StageFailed(run.shop === null ? notConnected : gone(run.shop));
  }
  const session = await sessions.open(store.client, signal);
  const at = { shop: session.shop, url: store.url, currency: session.currency };
  if (run.shop === null) {
    const shop = await claimRunShop(db, chunk, at);
    // Otherwise another worker began this run with a store that was set a moment earlier.
    return shop === session.shop ? session : currentStore(work, { ...run, shop }, { stores, sessions });
  }
  await upsertShop(db, at);
  if (run.shop !== session.shop) throw new StageFailed(gone(run.shop));
  return session;
}

const notConnected = 'No store is connected. Connect one in Settings, then push again.';
const unreadable =
  'The saved credentials of the store can’t be read. Enter them again in Settings, then push again.';
const gone = (shop: string) =>
  `This push began with ${shop}, which is no longer connected. Push again to send the products to the store that is connected now.`;
