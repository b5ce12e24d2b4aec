import { z } from 'zod';
import { route } from '../route.ts';

/** 200 while the process runs. */
export const health = route('health', {
  reply: z.object({ status: z.literal('ok') }),
});

export const Check = z.object({ ok: z.boolean(), message: z.string().nullable(), tookMs: z.number() });

/**
 * 200 if this process can reach its database, else 503 with the same body. With a session, the reply also has the state
 * of each service, at most a second old.
 */
export const ready = route('ready', {
  reply: z.object({
    ready: z.boolean(),
    database: Check.optional(),
    queue: Check.optional(),
    storage: Check.optional(),
    sessions: Check.optional(),
  }),
});
