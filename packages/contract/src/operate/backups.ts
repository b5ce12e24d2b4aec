import { z } from 'zod';
import { route } from '../route.ts';

/** The backups that the keeper makes and tries. */
export const getBackups = route('getBackups', {
  reply: z.object({
    /** A keeper runs. */
    isKept: z.boolean(),
    /** The newest backup, and how many are kept; null: there is none. */
    last: z.object({ takenAt: z.iso.datetime(), bytes: z.number().int(), kept: z.number().int() }).nullable(),
    /** The newest that was restored and compared; null: none was. */
    check: z
      .object({
        at: z.iso.datetime(),
        tables: z.number().int(),
        rows: z.number().int(),
        objects: z.number().int(),
        seconds: z.number(),
        /** The first differences, as sentences, and how many there are. */
        differences: z.array(z.string()),
        count: z.number().int(),
        /** Why nothing was restored, as a sentence. */
        problem: z.string().nullable(),
      })
      .nullable(),
    /** Why the last one could not be made, as a sentence. */
    problem: z.string().nullable(),
  }),
});
export type Backups = z.infer<(typeof getBackups)['reply']>;
