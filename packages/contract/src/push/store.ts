import { PostedProduct } from '@draftshelf/domain/push/posted-product';
import { z } from 'zod';
import { route } from '../route.ts';

const Check = z.object({ status: z.enum(['success', 'error']), message: z.string() });

const StoreCheck = z.object({
  status: z.enum(['success', 'error']),
  success: z.boolean(),
  message: z.string(),
  connected: Check,
});

/** Tests the connection for the import page. Replies 200 even if the store is down: `success` is the result. */
export const testStore = route('testStore', { reply: StoreCheck });

const StoreInfo = z.object({
  name: z.string().nullable(),
  domain: z.string().nullable(),
  myshopify_domain: z.string().nullable(),
  currency: z.string().nullable(),
  plan_name: z.string().nullable(),
  email: z.string().nullable(),
  push_pace: z.number().nullable(),
  total_products: z.number().int().nullable(),
});

/** Tests the connection and returns the shop's data. Replies 200 even if the store is down. */
export const getStore = route('getStore', {
  reply: StoreCheck.extend(StoreInfo.shape),
});

/** The store's rate limit in API points as of its last reply, or null. `productPoints`: cost of a simple product. */
export const getStoreBudget = route('getStoreBudget', {
  reply: z.object({
    budget: z
      .object({
        points: z.number(),
        maximum: z.number(),
        restoreRate: z.number(),
        productPoints: z.number(),
      })
      .nullable(),
  }),
});

export const getStoreMedian = route('getStoreMedian', {
  reply: z.object({ median: z.number().nullable(), currency: z.string().nullable() }),
});

const StoreProduct = z.object({
  id: z.number().int(),
  title: z.string(),
  vendor: z.string(),
  status: z.string(),
  product_type: z.string(),
  handle: z.string(),
  images: z.array(z.object({ src: z.string(), alt: z.string().nullable() })),
  variants: z.array(z.object({ price: z.string(), inventory_quantity: z.number().int() })),
  updated_at: z.string(),
});
export type StoreProduct = z.infer<typeof StoreProduct>;

/** Shopify's limit for one page. */
export const storeProductsMax = 250;
export const storeProductsDefault = 50;

/**
 * Lists the products that changed last. Writes of ended pushes and calls are always included. Products that a running
 * push writes appear after at most 5 s, and changes made in the store itself after at most 30 s. 502 if the store does
 * not answer.
 */
export const listStoreProducts = route('listStoreProducts', {
  query: z.object({
    limit: z.coerce.number().int().min(1).max(storeProductsMax).default(storeProductsDefault),
  }),
  reply: z.array(StoreProduct),
});

/** Lists the collections that products can be added to, 'All Products' first. 502 if the store does not answer. */
export const listCollections = route('listCollections', {
  reply: z.array(z.object({ id: z.number().int(), title: z.string() })),
});

export const dryRunMessages = {
  passed: 'All required fields present',
  failed: 'Missing required fields',
} as const;

/** Validates a product without writing it. `payload` is null if a required field is missing. */
export const dryRun = route('dryRun', {
  body: z.object({ product: PostedProduct }),
  reply: z.object({
    success: z.boolean(),
    validation: z.object({
      passed: z.boolean(),
      message: z.enum(dryRunMessages),
      missing: z.array(z.enum(['title', 'price'])),
      warnings: z.array(z.string()),
    }),
    payload: z.record(z.string(), z.unknown()).nullable(),
  }),
});
const rowMax = 2_147_483_647;

const SyncProgress = z.object({
  synced: z.number().int(),
  total: z.number().int().nullable(),
  running: z.boolean(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  error: z.string().nullable(),
});

/**
 * Copies the store's products with quantities and statuses into our database, without writing to the store. Replies
 * when the copy is complete, or after 50 s with `running`. 502 if the store does not answer.
 */
export const syncInventory = route('syncInventory', {
  reply: SyncProgress.extend({ success: z.boolean() }),
});

export const getSyncProgress = route('getSyncProgress', {
  reply: SyncProgress,
});

/** Header by which a repeated creation updates the first product instead of creating a second one. */
export const idempotencyKeyHeader = 'idempotency-key';

/**
 * Creates a product, or updates the product that an earlier call or push created for the same row of an import or the
 * same Idempotency-Key header. With neither row nor header, each call creates a product. 400 without title or price,
 * 409 if the product was changed in the store, 422 if the store refuses it, 502 if the store does not answer.
 */
export const createProduct = route('createProduct', {
  body: z
    .object({
      product: PostedProduct,
      importId: z.string().optional(),
      row: z.number().int().min(1).max(rowMax).optional(),
    })
    .refine(({ importId, row }) => (importId === undefined) === (row === undefined), {
      error: 'Send importId and row together, or neither.',
    }),
  reply: z.object({
    product: z.object({
      id: z.number().int(),
      title: z.string(),
      status: z.string(),
    }),
    outcome: z.enum(['created', 'updated', 'unchanged']),
  }),
});
export type DryRunResult = z.infer<(typeof dryRun)['reply']>;
