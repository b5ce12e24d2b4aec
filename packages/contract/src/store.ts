import { z } from 'zod';
import { route } from './route.ts';

const StoreCheck = z.object({
  status: z.enum(['success', 'error']),
  success: z.boolean(),
  message: z.string(),
  connected: z.object({ status: z.enum(['success', 'error']), message: z.string() }),
});

/** The connection test of the job page; it answers 200 also when the store is down (spec/decisions O7). */
export const testStore = route({ method: 'POST', path: '/api/shopify/test', reply: StoreCheck });
