/** Ranges with both ends included. */
export const aiLimitRanges = {
  requestsPerMinute: { min: 1, max: 10_000 },
  tokensPerDay: { min: 1, max: 1_000_000_000 },
  importRequests: { min: 1, max: 100_000 },
  importTokens: { min: 1, max: 1_000_000_000 },
  parallel: { min: 1, max: 10 },
} as const;

/** Costs are in the currency of the prices. A null cost means no limit. */
export type AiLimits = Record<keyof typeof aiLimitRanges, number> &
  Record<'costPerDay' | 'importCost', number | null>;

/** The range of a cost or a price, with both ends included. */
export const aiMoneyRange = { min: 0, max: 1_000_000 } as const;

export const currencyCharsMax = 10;

/** Maximum length of the operator's preference for the language or the tone of texts. */
export const textPreferenceCharsMax = 500;

/** Prices per million tokens, or null if unknown. */
export type AiPrices = { in: number; out: number } | null;

export type TokenCounts = { in: number; out: number };

/** Bytes of a request besides its texts that may become tokens: roles, separators and the schema's name. */
const bytesBeside = 200;

/** Returns the tokens to reserve: one per byte, which no tokenizer exceeds. English text uses a quarter of that. */
export const tokensToReserve = (requestBytes: number, outMax: number): TokenCounts => ({
  in: requestBytes + bytesBeside,
  out: outMax,
});

/** The current use per limit; 0 if absent. A call without an answer counts with its reserved tokens. */
export type AiUsage = Partial<Record<keyof AiLimits, number>>;

/** Returns the cost of tokens, or null without prices. */
export const costOf = (tokens: TokenCounts, prices: AiPrices): number | null =>
  prices && (tokens.in * prices.in + tokens.out * prices.out) / 1_000_000;

/** Returns the first limit that one more call would exceed. Limits of the import come first: they never free up. */
export function findExceededLimit(
  use: AiUsage,
  limits: AiLimits,
  reserved: TokenCounts,
  prices: AiPrices,
): keyof AiLimits | null {
  const tokens = reserved.in + reserved.out;
  const cost = costOf(reserved, prices) ?? 0;
  const more: [keyof AiLimits, number][] = [
    ['importRequests', 1],
    ['importTokens', tokens],
    ['importCost', cost],
    ['tokensPerDay', tokens],
    ['costPerDay', cost],
    ['requestsPerMinute', 1],
    ['parallel', 1],
  ];
  const exceeded = more.find(([limit, count]) => (use[limit] ?? 0) + count > (limits[limit] ?? Infinity));
  return exceeded?.[0] ?? null;
}

/** Returns whether requests with fewer products could stay within the limit. */
export const isSizeLimit = (limit: keyof AiLimits): boolean => /tokens|cost/i.test(limit);

/** Returns whether a limit holds per import. Its use never decreases; the use of other limits decreases with time. */
export const isImportLimit = (limit: keyof AiLimits): boolean => limit.startsWith('import');
