import { z } from 'zod';
import type { Clock } from './clock.ts';

/**
 * A fault for tests: on which operation (any, if absent), how often, and on every request or only each nth, of those
 * `after` the first ones. With `forMs` it is a storm: it strikes as long as that, however often.
 * `inactive`: the shop is closed, as GraphQL says it; frozen and locked ones answer with HTTP 402, 403 and 423.
 * The PUT of a staged file is the operation `stagedUpload`; it knows both drops, `status` and `delay`.
 * `drop-after` loses the answer of a request that took effect, `drop-before` a request before its effect;
 * `other-shape` answers after the effect in a shape that no client of this version knows.
 */
export const Fault = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum([
      'drop-before',
      'drop-after',
      'throttled',
      'unauthorized',
      'inactive',
      'html',
      'truncated',
      'other-shape',
    ]),
    ...when(),
  }),
  z.object({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    retryAfter: z.string().optional(),
    ...when(),
  }),
  z.object({ kind: z.literal('delay'), delayMs: z.int().min(0).max(600_000), ...when() }),
]);
export type Fault = z.infer<typeof Fault>;

function when() {
  return {
    operation: z.string().optional(),
    times: z.int().min(1).default(1),
    every: z.int().min(1).default(1),
    after: z.int().min(0).default(0),
    forMs: z.int().min(1).max(86_400_000).optional(),
  };
}

export type Faults = {
  add(fault: Fault): void;
  clear(): void;
  /** The faults for this request; each call counts as one request. */
  strike(operation: string): Fault[];
};

export function createFaults(clock: Clock): Faults {
  let scripted: { fault: Fault; left: number; seen: number; untilMs: number }[] = [];
  return {
    add(fault) {
      const isStorm = fault.forMs !== undefined;
      const untilMs = isStorm ? clock() + (fault.forMs ?? 0) : Number.POSITIVE_INFINITY;
      scripted.push({ fault, left: isStorm ? Number.POSITIVE_INFINITY : fault.times, seen: 0, untilMs });
    },
    clear() {
      scripted = [];
    },
    strike(operation) {
      const nowMs = clock();
      scripted = scripted.filter((one) => one.untilMs > nowMs);
      const struck: Fault[] = [];
      for (const one of scripted) {
        if (one.fault.operation !== undefined && one.fault.operation !== operation) continue;
        one.seen += 1;
        const counted = one.seen - one.fault.after;
        if (counted <= 0 || counted % one.fault.every !== 0) continue;
        one.left -= 1;
        struck.push(one.fault);
      }
      scripted = scripted.filter((one) => one.left > 0);
      return struck;
    },
  };
}
