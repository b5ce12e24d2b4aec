import { z } from 'zod';
import { route } from '../route.ts';
import { Job } from './imports.ts';

/** `undone`: when the last push was undone, and how many products the undo changed. Null if no undo took place. */
const EndedJob = Job.extend({
  undone: z.object({ at: z.iso.datetime(), products: z.number().int() }).nullable(),
});
export type EndedJob = z.infer<typeof EndedJob>;

/** The newest ended or undone imports. `status`: '' or 'all' for any. `date`: a prefix of `completedAt`. */
export const listHistory = route('listHistory', {
  query: z.object({
    status: z.string().optional(),
    date: z.string().optional(),
    supplier: z.coerce.number().int().optional(),
  }),
  reply: z.array(EndedJob),
});
