/** Costs are in the currency of the prices; null: no limit. */
export type AiLimits = {
  requestsPerMinute: number;
  tokensPerDay: number;
  costPerDay: number | null;
  importRequests: number;
  importTokens: number;
  importCost: number | null;
  parallel: number;
};

/** Both ends included. */
export const aiLimitRanges = {
  requestsPerMinute: { min: 1, max: 10_000 },
  tokensPerDay: { min: 1, max: 1_000_000_000 },
  importRequests: { min: 1, max: 100_000 },
  importTokens: { min: 1, max: 1_000_000_000 },
  parallel: { min: 1, max: 10 },
} as const;

/** For a cost or a price, both ends included. */
export const aiMoneyRange = { min: 0, max: 1_000_000 } as const;

export const currencyCharsMax = 10;

/** The length of a wish for texts. */
export const wishCharsMax = 500;

/** Prices per million tokens; null: unknown. */
export type AiPrices = { in: number; out: number } | null;

export type Tokens = { in: number; out: number };

/** Bytes of a request besides its texts that may become tokens: roles, separators and the schema's name. */
const bytesBeside = 200;

/** No tokenizer of bytes makes more than one token of a byte; that is about four times too much for English. */
export const reservationOf = (requestBytes: number, outMax: number): Tokens => ({
  in: requestBytes + bytesBeside,
  out: outMax,
});

/** A call without an answer counts with its reservation. */
export type AiUse = {
  requestsInMinute: number;
  tokensInDay: number;
  costInDay: number;
  running: number;
  ofImport: { requests: number; tokens: number; cost: number };
};

/** Limits of the import need a person; the others pass by themselves. */
export type ExceededLimit =
  | 'parallel'
  | 'requests-per-minute'
  | 'tokens-per-day'
  | 'cost-per-day'
  | 'import-requests'
  | 'import-tokens'
  | 'import-cost';

/** The cost of tokens; 0 without prices. */
export const costOf = (tokens: Tokens, prices: AiPrices): number =>
  prices === null ? 0 : (tokens.in * prices.in + tokens.out * prices.out) / 1_000_000;

/** The first limit that one more call would exceed. The import's come first: waiting does not help. */
export function exceededLimit(
  use: AiUse,
  limits: AiLimits,
  reserved: Tokens,
  prices: AiPrices,
): ExceededLimit | null {
  const tokens = reserved.in + reserved.out;
  const cost = costOf(reserved, prices);
  const isOver = (value: number, limit: number | null) => limit !== null && value > limit;
  const checks: [ExceededLimit, boolean][] = [
    ['import-requests', isOver(use.ofImport.requests + 1, limits.importRequests)],
    ['import-tokens', isOver(use.ofImport.tokens + tokens, limits.importTokens)],
    ['import-cost', isOver(use.ofImport.cost + cost, limits.importCost)],
    ['tokens-per-day', isOver(use.tokensInDay + tokens, limits.tokensPerDay)],
    ['cost-per-day', isOver(use.costInDay + cost, limits.costPerDay)],
    ['requests-per-minute', isOver(use.requestsInMinute + 1, limits.requestsPerMinute)],
    ['parallel', isOver(use.running + 1, limits.parallel)],
  ];
  return checks.find(([, exceeds]) => exceeds)?.[0] ?? null;
}

/** Whether fewer products in the request could help. */
export const isOfSize = (limit: ExceededLimit): boolean => /tokens|cost/.test(limit);

export const isOfImport = (limit: ExceededLimit): boolean => limit.startsWith('import-');
