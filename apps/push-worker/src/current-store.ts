import { claimRunShop, readRunShop } from '@draftshelf/database/push/push-shop';
import type { StoreSession, StoreSessions } from '@draftshelf/publishing/store-session';
import { StageFailed } from '@draftshelf/queues/chunk-errors';
import type { ChunkWork } from '@draftshelf/queues/run-chunk';
import type { Stores } from '@draftshelf/shopify/stores';

/**
 * The session of the store that a chunk's push run pushes to: the store that is set when the run begins. The run stays
 * with its shop when another store is set meanwhile. Throws StageFailed if that shop cannot be reached any more, and
 * what the store's client throws.
 */
export async function currentStore(
  work: ChunkWork,
  { stores, sessions }: { stores: Stores; sessions: StoreSessions },
): Promise<StoreSession> {
  const { chunk, signal } = work;
  const { db } = work.database;
  const run = { import_id: chunk.import_id, run: chunk.run };
  const begunWith = await readRunShop(db, run);
  const store = begunWith === null ? await stores.current() : await stores.ofShop(begunWith);
  if (store === null) {
    if ((await stores.problem()) !== null) throw new StageFailed(unreadable);
    throw new StageFailed(begunWith === null ? notConnected : gone(begunWith));
  }
  const session = await sessions.open(store.client, signal);
  const shop = await claimRunShop(db, run, {
    shop: session.shop,
    url: store.url,
    currency: session.currency,
  });
  if (shop === session.shop) return session;
  // Another worker began this run with a store that was set a moment earlier.
  if (begunWith === null) return currentStore(work, { stores, sessions });
  throw new StageFailed(gone(shop));
}

const notConnected = 'No store is connected. Connect one in Settings, then push again.';
const unreadable =
  'The saved credentials of the store can’t be read. Enter them again in Settings, then push again.';
const gone = (shop: string) =>
  `This push began with ${shop}, which is no longer connected. Push again to send the products to the store that is connected now.`;
