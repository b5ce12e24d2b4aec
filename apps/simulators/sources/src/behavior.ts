import { z } from 'zod';

/** The simulated sources, by the first part of their paths. */
export const simulated = ['upcitemdb', 'open-products-facts', 'barcode-lookup'] as const;
export type SimulatedName = (typeof simulated)[number];

/** The behavior of a source. `lie`: the remaining quota in its headers. */
export const Behavior = z.strictObject({
  perWindow: z.number().int().min(1).default(1_000_000),
  windowMs: z.number().int().min(1).default(60_000),
  perDay: z.number().int().min(1).default(1_000_000),
  dayMs: z.number().int().min(1).default(86_400_000),
  /** Every nth call fails with 500; 0: none. */
  failEvery: z.number().int().min(0).default(0),
  delayMs: z.number().int().min(0).max(60_000).default(0),
  lie: z.enum(['none', 'more', 'less']).default('none'),
  /** The keys that are accepted; absent: any, and none. */
  keys: z.array(z.string()).optional(),
});
export type Behavior = z.infer<typeof Behavior>;

/** Codes that end with these digits before their check digit behave in their own way, whatever the source. */
const sentinels = {
  '9404': 'miss',
  '9429': 'quota',
  '9500': 'failure',
  '9504': 'silence',
  '9000': 'garbage',
} as const;
export type Sentinel = (typeof sentinels)[keyof typeof sentinels];

/** The special behavior of a code of 14 digits, or null. */
export function sentinelOf(gtin: string): Sentinel | null {
  return (sentinels as Record<string, Sentinel>)[gtin.slice(9, 13)] ?? null;
}

/** A call that arrived, with its key. */
export type Arrival = {
  source: SimulatedName;
  gtin: string;
  key: string | null;
  atMs: number;
  answered: string;
};

/** Whether the calls before `nowMs` leave room for one more, in both windows. */
export function hasRoom(arrivals: readonly Arrival[], behavior: Behavior, nowMs: number): boolean {
  const within = (ms: number) => arrivals.filter(({ atMs }) => atMs > nowMs - ms).length;
  return within(behavior.windowMs) < behavior.perWindow && within(behavior.dayMs) < behavior.perDay;
}
