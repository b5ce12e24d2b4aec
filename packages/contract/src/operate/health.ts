import { z } from 'zod';
import { route } from '../route.ts';

/** Replies 200 as long as the process runs. */
export const health = route('health', {
  reply: z.object({ status: z.literal('ok') }),
});

export const ServiceCheck = z.object({ ok: z.boolean(), message: z.string().nullable(), tookMs: z.number() });

/** Replies 200 if the process reaches its database, else 503. Sessions also get all checks, up to 1 s old. */
export const ready = route('ready', {
  reply: z.object({
    ready: z.boolean(),
    database: ServiceCheck.optional(),
    queue: ServiceCheck.optional(),
    storage: ServiceCheck.optional(),
    sessions: ServiceCheck.optional(),
  }),
});
