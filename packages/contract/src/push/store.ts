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

/** The connection test of the import page. It replies 200 even if the store is down: `success` has the result. */
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

/** The result of a connection test with the shop's data. It replies 200 even if the store is down. */
export const getStore = route('getStore', {
  reply: StoreCheck.extend(StoreInfo.shape),
});

/** Points of the connected store by its last reply; null before. `productPoints`: of a plain product. */
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
 * The products that were changed last, with all that a push which has ended or a call has written. While a push runs,
 * its products appear after at most 5 s; changes made in the store itself after at most 30 s. 502 if the store does not
 * answer.
 */
export const listStoreProducts = route('listStoreProducts', {
  query: z.object({
    limit: z.coerce.number().int().min(1).max(storeProductsMax).default(storeProductsDefault),
  }),
  reply: z.array(StoreProduct),
});

/** Lists the collections for products, 'All Products' first. 502 if the store does not answer. */
export const listCollections = route('listCollections', {
  reply: z.array(z.object({ id: z.number().int(), title: z.string() })),
});

export const dryRunMessages = {
  passed: 'All required fields present',
  failed: 'Missing required fields',
} as const;

/** Checks a product without writing. `payload`: null if a required field is missing. */
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
 * Reads the store's products with their quantities and statuses into our copy; it writes nothing to the store. Replies
 * at its end, or after 50 s with the progress (`running`). 502 if the store does not answer.
 */
export const syncInventory = route('syncInventory', {
  reply: SyncProgress.extend({ success: z.boolean() }),
});

export const getSyncProgress = route('getSyncProgress', {
  reply: SyncProgress,
});

/** Header with which a client repeats a creation without creating a second product. */
export const idempotencyKeyHeader = 'idempotency-key';

/**
 * Creates a product, or updates the one that an earlier call or push has created for the same row of an import, or with
 * the same Idempotency-Key header. Without both, each call creates a product. 400 without title or price, 409 if the
 * product was changed in the store, 422 if the store refuses it, 502 if the store does not answer.
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
