import { queryOptions, useQuery } from '@tanstack/react-query';
import { fullCompleted, fullStore, fullStoreProduct } from '../../api/bare-replies.ts';
import { CallError, call, type Reply } from '../../api/call.ts';
import { pollMs } from '../../api/polls.ts';
import { readKey, readOf } from '../../api/read.ts';
import { useCalls } from '../../ui/feedback/use-call.ts';

/** A failed read is repeated when a component that needs it is shown again. */
export function useCollections() {
  return useQuery(readOf('listCollections'));
}

/** A visit does not repeat the loader's read. */
const freshMs = 2_000;
/** The specification's number. */
const productsOnPage = 100;

export type StoreInfo = Reply<'getStore'>;
type Listed = Reply<'listStoreProducts'>[number];
/** Variants may lack fields. */
export type StoreProduct = Pick<Listed, 'id' | 'title' | 'vendor' | 'status' | 'images' | 'updated_at'> & {
  variants: { price?: string | null; inventory_quantity?: number | null }[];
};

export const storeRead = () => ({ ...readOf('getStore', {}, fullStore), staleTime: freshMs });

export const useStore = () => useQuery(storeRead());

/** `problem`: reason why the products could not be read. */
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

export const useStoreProducts = () => useQuery(storeProductsRead());

export const completedRead = () => ({
  ...readOf('listCompleted', {}, (reply) => reply.map(fullCompleted)),
  staleTime: freshMs,
});

export const useCompleted = () => useQuery(completedRead());

/** The server replies at the end of a sync, or with its progress after 50 s; then the call is repeated. */
const syncCallsMax = 72;

/** `planned`: import whose push is planned again afterwards, even if the page is left. */
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
