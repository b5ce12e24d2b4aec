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
