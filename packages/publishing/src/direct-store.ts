import { readLiveProducts, readStamps } from '@draftshelf/shopify/products';
import type { PublishContext } from './publish-context.ts';
import type { StoreSession } from './store-session.ts';

/** The calls of a caller that publishes single products: they wait for points only, and are not collected. */
export function directStore(session: StoreSession): Pick<PublishContext, 'enter' | 'read' | 'readStamp'> {
  const { client } = session;
  return {
    enter: async () => ({
      reserve: async () => undefined,
      unused: async () => {},
      answered: () => {},
      end: () => {},
    }),
    read: async (id) => (await readLiveProducts(client, [id], session)).get(id) ?? null,
    readStamp: async (id) => (await readStamps(client, [id])).get(id) ?? null,
  };
}
