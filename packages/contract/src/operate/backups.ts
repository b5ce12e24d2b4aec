import { z } from 'zod';
import { route } from '../route.ts';

export const getBackups = route('getBackups', {
  reply: z.object({
    /** Whether a keeper, which makes backups, is running. */
    isKept: z.boolean(),
    last: z.object({ takenAt: z.iso.datetime(), bytes: z.number().int(), kept: z.number().int() }).nullable(),
    check: z
      .object({
        at: z.iso.datetime(),
        tables: z.number().int(),
        rows: z.number().int(),
        objects: z.number().int(),
        seconds: z.number(),
        differences: z.array(z.string()),
        count: z.number().int(),
        problem: z.string().nullable(),
      })
      .nullable(),
    problem: z.string().nullable(),
  }),
});
export type Backups = z.infer<(typeof getBackups)['reply']>;
