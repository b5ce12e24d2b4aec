import { z } from 'zod';

/**
 * The simulated models by the structure that they take: a JSON schema, only a JSON object, or only text. `reasoning`
 * takes a schema, and limits its answer with max_completion_tokens instead of max_tokens.
 */
export const models = ['strict', 'object-only', 'text-only', 'reasoning'] as const;
export type ModelName = (typeof models)[number];

/** The structure that a request asks for. */
export type Structure = 'schema' | 'object' | 'text';

/** Changes of how the service behaves; absent values stay. */
export const Behavior = z.strictObject({
  /** The keys that are accepted; null: any, and none. */
  keys: z.array(z.string()).nullable().optional(),
  delayMs: z.number().int().min(0).max(120_000).optional(),
  /** The time after which a late answer comes. */
  lateMs: z.number().int().min(0).max(600_000).optional(),
  /** Bytes of a text that one token stands for; no tokenizer by bytes makes more tokens than with 1. */
  bytesPerToken: z.number().min(1).max(8).optional(),
  /** Every nth call fails with 500; 0: none. */
  failEvery: z.number().int().min(0).optional(),
});
export type Behavior = z.infer<typeof Behavior>;

export const behaviorDefault: Required<Behavior> = {
  keys: null,
  delayMs: 0,
  lateMs: 60_000,
  bytesPerToken: 4,
  failEvery: 0,
};

/** A request with one of these words in the title of a product is answered in its own way. */
const sentinels = [
  // Answers.
  'malformed',
  'late',
  'cut',
  'crowded',
  'hostile',
  'invented',
  'contradictory',
  'refusal',
  'no-usage',
  'over-usage',
  'fenced',
  // Statuses.
  'quota-seconds',
  'quota-date',
  'quota-reset',
  'quota-bare',
  'quota-spent',
  'unauthorized',
  'unpaid',
  'unknown',
  'failure',
  // Connections.
  'endless',
  'redirect',
  'huge',
] as const;
export type Sentinel = (typeof sentinels)[number];

/** The word for a sentinel: 'sim-late' in a title is 'late'. */
export const sentinelWord = (sentinel: Sentinel): string => `sim-${sentinel}`;

/** The first sentinel in the titles of a request, or null. */
export function sentinelOf(titles: readonly string[]): Sentinel | null {
  const words = new Set(titles.flatMap((title) => title.toLowerCase().split(/\s+/)));
  return sentinels.find((sentinel) => words.has(sentinelWord(sentinel))) ?? null;
}

/** A call that arrived, and how it ended. Times are milliseconds since 1970. */
export type Arrival = {
  model: string;
  key: string | null;
  structure: Structure;
  titles: string[];
  atMs: number;
  /** null: it is still being answered. */
  endedAtMs: number | null;
  /** The answer that was sent; 'aborted': the client disconnected before it. */
  answered: string;
  /**
   * Tokens of the request and of the answer, as the service counts and bills them: until the answer, and for a call
   * without one, the most that it may take. Nothing is billed for a refused request.
   */
  tokensIn: number;
  tokensOut: number;
  /** The limit that the request sets for the answer; null: none. */
  tokensOutMax: number | null;
};
