import { z } from 'zod';
import { route } from '../route.ts';
import { Job } from './imports.ts';

/**
 * The newest `historyMax` imports that have ended, by their latest end. `status`: empty or 'all' for every final
 * status. `date`: a literal prefix of `completedAt`, usually a day (UTC). `supplier`: a supplier's id.
 */
export const listHistory = route('listHistory', {
  query: z.object({
    status: z.string().optional(),
    date: z.string().optional(),
    supplier: z.coerce.number().int().optional(),
  }),
  reply: z.array(Job),
});
