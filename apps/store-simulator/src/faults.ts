import { z } from 'zod';

/**
 * A fault for tests: on which operation (any, if absent), how often, and on every request or only each nth.
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
  };
}

export type Faults = {
  add(fault: Fault): void;
  clear(): void;
  /** The faults for this request; each call counts as one request. */
  strike(operation: string): Fault[];
};

export function createFaults(): Faults {
  let scripted: { fault: Fault; left: number; seen: number }[] = [];
  return {
    add(fault) {
      scripted.push({ fault, left: fault.times, seen: 0 });
    },
    clear() {
      scripted = [];
    },
    strike(operation) {
      const struck: Fault[] = [];
      for (const one of scripted) {
        if (one.fault.operation !== undefined && one.fault.operation !== operation) continue;
        one.seen += 1;
        if (one.seen % one.fault.every !== 0) continue;
        one.left -= 1;
        struck.push(one.fault);
      }
      scripted = scripted.filter((one) => one.left > 0);
      return struck;
    },
  };
}
