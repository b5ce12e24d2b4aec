import { z } from 'zod';
import { route } from './route.ts';

/** 200 while the process runs. */
export const health = route({
  method: 'GET',
  path: '/api/health',
  reply: z.object({ status: z.literal('ok') }),
});

/** Whether a service responds, and how fast. `message`: what is wrong. */
export const Check = z.object({ ok: z.boolean(), message: z.string().nullable(), tookMs: z.number() });

/** 200 if Postgres, the queue, object storage and the session store respond in time; else 503 with the same body. */
export const ready = route({
  method: 'GET',
  path: '/api/ready',
  reply: z.object({ ready: z.boolean(), database: Check, queue: Check, storage: Check, sessions: Check }),
});
