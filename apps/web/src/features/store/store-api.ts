import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { fullCompleted, fullStore, fullStoreProduct } from '../../api/bare-replies.ts';
import { CallError, call, type Reply } from '../../api/call.ts';
import { readKey, readOf } from '../../api/read.ts';

/** Tests the connection. If the store is down, the reply has a message and is not an HTTP error. */
export async function testConnection(): Promise<{ ok: boolean; message: string }> {
  // The specification fixes neither part of the reply, so each may be missing.
  const { success, message, connected }: Partial<Reply<'testStore'>> = await call('testStore');
  const isConnected = connected === undefined ? success === true : connected.status === 'success';
  return { ok: isConnected && success !== false, message: message || (connected?.message ?? '') };
}

/** The store's collections. A failed read is repeated when a component that needs them is shown again. */
export function useCollections() {
  return useQuery(readOf('listCollections'));
}

/** Creates the product of an import's row in the store, as a test. The server adds where it comes from. */
export function useProductTest(importId: string) {
  return useMutation({
    mutationFn: ({ product, row }: { product: DraftProduct; row: number }) => {
      const metafields = product.metafields.filter(({ key }) => key !== 'import_source');
      return call('createProduct', { body: { product: { ...product, metafields }, importId, row } });
    },
  });
}

/** A visit does not read again what its loader has just read. */
const freshMs = 2_000;
/** The specification's number for the store's page. */
const productsOnPage = 100;

export type StoreInfo = Reply<'getStore'>;
type Listed = Reply<'listStoreProducts'>[number];
/** A product of the store. It may leave out what a variant has. */
export type StoreProduct = Pick<Listed, 'id' | 'title' | 'vendor' | 'status' | 'images' | 'updated_at'> & {
  variants: { price?: string | null; inventory_quantity?: number | null }[];
};

export const storeRead = () => ({ ...readOf('getStore', {}, fullStore), staleTime: freshMs });

/** The store's data, and whether it answers. */
export function useStore() {
  return useQuery(storeRead());
}

/** The store's products; none if they could not be read. `problem` then says why. */
type StoreProducts = { products: StoreProduct[]; problem: string | null };

export const storeProductsRead = () =>
  queryOptions({
    queryKey: readKey('listStoreProducts', {}, { limit: productsOnPage }),
    queryFn: async ({ signal }): Promise<StoreProducts> => {
      try {
        const query = { limit: productsOnPage };
        return {
          products: (await call('listStoreProducts', { query, signal })).map(fullStoreProduct),
          problem: null,
        };
      } catch (error) {
        if (!(error instanceof CallError) || error.status === 401) throw error;
        return { products: [], problem: `HTTP ${error.status}: ${error.statusText}` };
      }
    },
    staleTime: freshMs,
  });

export function useStoreProducts() {
  return useQuery(storeProductsRead());
}

export const completedRead = () => ({
  ...readOf('listCompleted', {}, (reply) => reply.map(fullCompleted)),
  staleTime: freshMs,
});

/** The imports that are ready for the store. */
export function useCompleted() {
  return useQuery(completedRead());
}

/** Asks the store again: its data, and the state in the sidebar. */
export function useStoreRefresh() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await call('testStore');
      await Promise.all([
        client.invalidateQueries({ queryKey: readKey('getStore') }),
        client.invalidateQueries({ queryKey: readKey('listConnections') }),
      ]);
    },
  });
}

/** Reads the store's products and their number again; at once if a screen shows them. */
export const readProductsAgain = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: readKey('listStoreProducts') }),
    client.invalidateQueries({ queryKey: readKey('getStore') }),
  ]);

/** The server replies at the end of a sync, or with its progress after 50 s; then it is asked again. */
const syncCallsMax = 72;
const progressEveryMs = 2_000;

/**
 * Reads the store's quantities and statuses into our copy. `progress`: of the sync that this page has started. `next`
 * follows it, also if the page is left meanwhile.
 */
export function useInventorySync(next?: () => Promise<unknown>) {
  const client = useQueryClient();
  const sync = useMutation({
    mutationFn: async () => {
      for (let asked = 0; asked < syncCallsMax; asked += 1) {
        const reply = await call('syncInventory');
        if (reply.running) continue;
        await next?.();
        return reply;
      }
      throw new Error('The sync is taking more than an hour. It continues on the server; check back later.');
    },
    onSuccess: () => readProductsAgain(client),
  });
  const progress = useQuery({
    ...readOf('getSyncProgress'),
    enabled: sync.isPending,
    refetchInterval: sync.isPending ? progressEveryMs : false,
    gcTime: 0,
  });
  return { sync, progress: sync.isPending ? progress.data : undefined };
}

/** Pushes several imports. The results are in the order of the imports. */
export function useBatchPush() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (jobIds: string[]) => {
      const { results } = await call('pushBatch', { body: { jobIds } });
      return { results: results.map((result) => ({ ...result, message: result.message ?? '' })) };
    },
    onSuccess: () =>
      Promise.all([client.invalidateQueries({ queryKey: readKey('/api/jobs') }), readProductsAgain(client)]),
  });
}
