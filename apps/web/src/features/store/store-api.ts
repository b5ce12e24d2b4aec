import { queryOptions, useQuery } from '@tanstack/react-query';
import { fillCompletedImport, fillStore, fillStoreProduct } from '../../api/bare-replies.ts';
import { CallError, call, pollMs, type Reply, readOf, toCacheKey } from '../../api/call.ts';
import { formatCount } from '../../lib/intl.ts';
import { changeMembership, sliceBetween } from '../../lib/range.ts';
import { useCalls } from '../../ui/feedback/use-call.ts';

/** A failed read is repeated when a component with this hook is shown again. */
export const useCollections = () => useQuery(readOf('listCollections'));

/** For this time after the loader's read, opening the page does not repeat the read. */
const freshMs = 2_000;
/** The requirements prescribe this number. */
const productsOnPage = 100;

export type StoreInfo = Reply<'getStore'>;
type Listed = Reply<'listStoreProducts'>[number];
/** A product of the store. Its variants may lack fields. */
export type StoreProduct = Pick<Listed, 'id' | 'title' | 'vendor' | 'status' | 'images' | 'updated_at'> & {
  variants: { price?: string | null; inventory_quantity?: number | null }[];
};

export const storeRead = () => ({ ...readOf('getStore', {}, fillStore), staleTime: freshMs });

/** `problem`: the reason why the products could not be read; null if they were read. */
type StoreProducts = { products: StoreProduct[]; problem: string | null };

export const storeProductsRead = () =>
  queryOptions({
    queryKey: toCacheKey('listStoreProducts', {}, { limit: productsOnPage }),
    queryFn: async ({ signal }): Promise<StoreProducts> => {
      try {
        const query = { limit: productsOnPage };
        return {
          products: (await call('listStoreProducts', { query, signal })).map(fillStoreProduct),
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

export const completedImportsRead = () => ({
  ...readOf('listCompleted', {}, (reply) => reply.map(fillCompletedImport)),
  staleTime: freshMs,
});

export const useCompletedImports = () => useQuery(completedImportsRead());

/** Maximum number of calls per sync. Each call returns after at most 50 s, and is repeated until the sync has ended. */
const syncCallsMax = 72;

/** `planned`: id of an import whose push is planned again after the sync, even if the operator leaves the page. */
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
  const { synced = 0, total = null } = (sync.isPending && progress.data) || {};
  return {
    sync,
    progressWords: `${formatCount(synced)}${total === null ? '' : ` of ${formatCount(total)}`}…`,
  };
}

/** The requirements prescribe this number. */
export const productsShownMax = 10;

export function searchProducts(products: readonly StoreProduct[], search: string): StoreProduct[] {
  const words = search.trim().toLowerCase();
  if (words === '') return [...products];
  return products.filter(({ title, vendor, status }) =>
    [title, vendor ?? '', status].some((text) => text.toLowerCase().includes(words)),
  );
}

/** Formats the price in en-US and in the store's currency. Returns 'N/A' without a price. */
export function priceWords({ variants }: Pick<StoreProduct, 'variants'>, currency: string | null): string {
  const price = Number.parseFloat(variants[0]?.price ?? '');
  if (!Number.isFinite(price)) return 'N/A';
  const style = { style: 'currency', currencyDisplay: 'narrowSymbol' } as const;
  return new Intl.NumberFormat('en-US', { ...style, currency: currency ?? 'USD' }).format(price);
}

/** Returns the stock of the first variant; 0 if the store sends no quantity. */
export const readInventory = ({ variants }: Pick<StoreProduct, 'variants'>): number =>
  variants[0]?.inventory_quantity ?? 0;

export const storeStatuses = ['active', 'draft', 'archived'] as const;
export type StoreStatus = (typeof storeStatuses)[number];

/** Returns the number and the percentage of products with each status. */
export const distribution = (products: readonly Pick<StoreProduct, 'status'>[]) =>
  storeStatuses.map((status) => {
    const count = products.filter((product) => product.status === status).length;
    return {
      status,
      count,
      percent: products.length === 0 ? 0 : Math.round((count / products.length) * 100),
    };
  });

const minuteS = 60;
const hourS = 60 * minuteS;

/** Example: 'about 30 s', 'about 4 min'; '' if the time is unknown. */
export function pushTimeWords(products: number, perSecond: number | null): string {
  if (perSecond === null || perSecond <= 0 || products === 0) return '';
  const seconds = products / perSecond;
  if (seconds < 10) return 'a few seconds';
  if (seconds < 90) return `about ${Math.ceil(seconds / 10) * 10} s`;
  if (seconds < 90 * minuteS) return `about ${Math.ceil(seconds / minuteS)} min`;
  return `about ${Math.ceil(seconds / hourS)} h`;
}

/** Toggles an import. With `from`, all imports from `from` to `id` get the same state. */
export const toggleImports = (
  selected: ReadonlySet<string>,
  ids: readonly string[],
  id: string,
  from: string | null,
): Set<string> => changeMembership(selected, sliceBetween(ids, from, id), !selected.has(id));

export const listSelectedIds = (
  selected: ReadonlySet<string>,
  imports: readonly { id: string }[],
): string[] => imports.filter(({ id }) => selected.has(id)).map(({ id }) => id);
