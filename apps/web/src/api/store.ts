import { listConnections } from '@draftshelf/contract/access/connections';
import { Job } from '@draftshelf/contract/imports/imports';
import { listCompleted, pushBatch } from '@draftshelf/contract/push/batch-push';
import {
  createProduct,
  getStore,
  getSyncProgress,
  listCollections,
  listStoreProducts,
  syncInventory,
  testStore,
} from '@draftshelf/contract/push/store';
import { route } from '@draftshelf/contract/route';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { CallError, call } from './call.ts';
import { readKey, readOf } from './read.ts';

/** The reply of a connection test. The specification fixes neither of its parts, so each may be missing. */
const StoreCheck = z.object({
  success: z.boolean().optional(),
  message: z.string().default(''),
  connected: z.object({ status: z.string(), message: z.string().default('') }).optional(),
});

const checkStore = route({ ...testStore, reply: StoreCheck });

/** Tests the connection. If the store is down, the reply has a message and is not an HTTP error. */
export async function testConnection(): Promise<{ ok: boolean; message: string }> {
  const { success, message, connected } = await call(checkStore);
  const isConnected = connected === undefined ? success === true : connected.status === 'success';
  return { ok: isConnected && success !== false, message: message || (connected?.message ?? '') };
}

const readCollections = route({ ...listCollections, reply: z.array(z.object({ title: z.string() })) });

/** The store's collections. A failed read is repeated when a component that needs them is shown again. */
export function useCollections() {
  return useQuery(readOf(readCollections));
}

/** The part of the reply that screens use. */
const CreatedProduct = z.object({ product: z.object({ id: z.union([z.number(), z.string()]) }) });
const createInStore = route({ ...createProduct, reply: CreatedProduct });

/** Creates the product of an import's row in the store, as a test. The server adds where it comes from. */
export function useProductTest(importId: string) {
  return useMutation({
    mutationFn: ({ product, row }: { product: DraftProduct; row: number }) => {
      const metafields = product.metafields.filter(({ key }) => key !== 'import_source');
      return call(createInStore, { body: { product: { ...product, metafields }, importId, row } });
    },
  });
}

/** A visit does not read again what its loader has just read. */
const freshMs = 2_000;
/** The specification's number for the store's page. */
const productsOnPage = 100;

// Fields of the specification that a store may leave out have defaults.
const text = z.string().nullish().default(null);
const StoreInfo = z.object({
  connected: z.object({ status: z.string(), message: z.string().default('') }),
  name: text,
  domain: text,
  myshopify_domain: text,
  currency: text,
  plan_name: text,
  email: text,
  push_pace: z.number().nullish().default(null),
  total_products: z.number().nullish().default(null),
});
export type StoreInfo = z.infer<typeof StoreInfo>;

const StoreProduct = z.object({
  id: z.union([z.number(), z.string()]),
  title: z.string(),
  vendor: z.string().nullish().default(''),
  status: z.string(),
  images: z.array(z.object({ src: z.string(), alt: text })).default([]),
  variants: z
    .array(z.object({ price: z.string().nullish(), inventory_quantity: z.number().nullish() }))
    .default([]),
  updated_at: z.string(),
});
export type StoreProduct = z.infer<typeof StoreProduct>;

const readStore = route({ ...getStore, reply: StoreInfo });
const readProducts = route({ ...listStoreProducts, reply: z.array(StoreProduct) });
const CompletedImport = z.object({
  id: z.string(),
  filename: z.string(),
  processedProducts: z.number(),
  status: z.string(),
  completedAt: text,
  createdAt: z.string(),
  otherCurrency: Job.shape.otherCurrency.default(null),
  shop: z.string().nullable().default(null),
});
const readCompleted = route({ ...listCompleted, reply: z.array(CompletedImport) });
const BatchResult = z.object({ success: z.boolean(), message: z.string().default('') });
const pushReady = route({ ...pushBatch, reply: z.object({ results: z.array(BatchResult) }) });
const SyncReply = z.object({ synced: z.number(), running: z.boolean().default(false) });
const syncCall = route({ ...syncInventory, reply: SyncReply });

export const storeRead = () => ({ ...readOf(readStore), staleTime: freshMs });

/** The store's data, and whether it answers. */
export function useStore() {
  return useQuery(storeRead());
}

/** The store's products; none if they could not be read. `problem` then says why. */
type StoreProducts = { products: StoreProduct[]; problem: string | null };

export const storeProductsRead = () =>
  queryOptions({
    queryKey: readKey(listStoreProducts.path, {}, { limit: productsOnPage }),
    queryFn: async ({ signal }): Promise<StoreProducts> => {
      try {
        const query = { limit: productsOnPage };
        return { products: await call(readProducts, { query, signal }), problem: null };
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

export const completedRead = () => ({ ...readOf(readCompleted), staleTime: freshMs });

/** The imports that are ready for the store. */
export function useCompleted() {
  return useQuery(completedRead());
}

/** Asks the store again: its data, and the state in the sidebar. */
export function useStoreRefresh() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await call(checkStore);
      await Promise.all([
        client.invalidateQueries({ queryKey: readKey(getStore.path) }),
        client.invalidateQueries({ queryKey: readKey(listConnections.path) }),
      ]);
    },
  });
}

/** Reads the store's products and their number again; at once if a screen shows them. */
export const readProductsAgain = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: readKey(listStoreProducts.path) }),
    client.invalidateQueries({ queryKey: readKey(getStore.path) }),
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
        const reply = await call(syncCall);
        if (reply.running) continue;
        await next?.();
        return reply;
      }
      throw new Error('The sync is taking more than an hour. It continues on the server; check back later.');
    },
    onSuccess: () => readProductsAgain(client),
  });
  const progress = useQuery({
    ...readOf(getSyncProgress),
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
    mutationFn: (jobIds: string[]) => call(pushReady, { body: { jobIds } }),
    onSuccess: () =>
      Promise.all([client.invalidateQueries({ queryKey: readKey('/api/jobs') }), readProductsAgain(client)]),
  });
}
