import { z } from 'zod';
import { route } from '../route.ts';
import { Job } from './imports.ts';

/** An import that has ended. `undone`: its last push was undone, then, and changed so many products back. */
const EndedJob = Job.extend({
  undone: z.object({ at: z.iso.datetime(), products: z.number().int() }).nullable(),
});
export type EndedJob = z.infer<typeof EndedJob>;

/**
 * The newest `historyMax` imports that have ended or whose push was undone, by their latest end. `status`: empty or
 * 'all' for every final status and undone pushes. `date`: a literal prefix of the end, usually a day (UTC). `supplier`:
 * a supplier's id.
 */
export const listHistory = route('listHistory', {
  query: z.object({
    status: z.string().optional(),
    date: z.string().optional(),
    supplier: z.coerce.number().int().optional(),
  }),
  reply: z.array(EndedJob),
});
