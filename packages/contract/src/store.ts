import { z } from 'zod';
import { route } from './route.ts';

const StoreCheck = z.object({
  status: z.enum(['success', 'error']),
  success: z.boolean(),
  message: z.string(),
  connected: z.object({ status: z.enum(['success', 'error']), message: z.string() }),
});

/** The connection test of the import page. It replies 200 even if the store is down: `success` has the result. */
export const testStore = route({ method: 'POST', path: '/api/shopify/test', reply: StoreCheck });

/** The store's collections. */
export const listCollections = route({
  method: 'GET',
  path: '/api/shopify/collections',
  reply: z.array(z.object({ id: z.union([z.string(), z.number()]), title: z.string() })),
});

/**
 * Creates one product in the store, in the shape of the specification's payload. `importId` and `row`: the row that it
 * comes from, so that a later push of the row finds the same product.
 */
export const createProduct = route({
  method: 'POST',
  path: '/api/shopify/create-product',
  body: z.object({
    product: z.looseObject({}),
    importId: z.string().optional(),
    row: z.number().int().optional(),
  }),
  reply: z.object({ product: z.looseObject({ id: z.union([z.string(), z.number()]) }) }),
});
