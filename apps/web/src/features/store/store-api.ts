import { queryOptions, useQuery } from '@tanstack/react-query';
import { fullCompleted, fullStore, fullStoreProduct } from '../../api/bare-replies.ts';
import { CallError, call, type Reply } from '../../api/call.ts';
import { pollMs } from '../../api/polls.ts';
import { readKey, readOf } from '../../api/read.ts';
import { useCalls } from '../../ui/feedback/use-call.ts';

/** The store's collections. A failed read is repeated when a component that needs them is shown again. */
export function useCollections() {
  return useQuery(readOf('listCollections'));
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

/** The server replies at the end of a sync, or with its progress after 50 s; then it is asked again. */
const syncCallsMax = 72;

/**
 * Reads the store's quantities and statuses into our copy. `progress`: of the sync that this page has started.
 * `planned`: the import whose push is planned again after it, also if the page is left meanwhile.
 */
export function useInventorySync(failed: string, planned?: string) {
  const sync = useCalls(
    async (_none: undefined) => {
      for (let asked = 0; asked < syncCallsMax; asked += 1) {
        const reply = await call('syncInventory');
        if (reply.running) continue;
        if (planned !== undefined) await call('beginPlan', { params: { id: planned } });
        return reply;
      }
      throw new Error('The sync is taking more than an hour. It continues on the server; check back later.');
    },
    () => [
      { name: 'syncInventory' },
      ...(planned === undefined ? [] : [{ name: 'beginPlan', params: { id: planned } } as const]),
    ],
    { failed },
  );
  const progress = useQuery({
    ...readOf('getSyncProgress'),
    enabled: sync.isPending,
    refetchInterval: sync.isPending ? pollMs.storeSync : false,
    gcTime: 0,
  });
  return { sync, progress: sync.isPending ? progress.data : undefined };
}
