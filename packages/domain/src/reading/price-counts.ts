/** Prices counted on a log scale, with 100 steps per power of ten. Zeros have no step. */
export type PriceCounts = {
  /** [step, count], by step. Step 100 begins at 10, step 200 at 100. */
  steps: [number, number][];
  zeros: number;
  /** The lowest and the highest price above 0, or null if there are no prices. */
  low: number | null;
  high: number | null;
  /** Currencies that prices name, except those in `few`. Empty if prices name none. */
  currencies: string[];
  /** Prices in other currencies, if more than half of all prices have the same currency. */
  few: { count: number; currencies: string[] };
};

/** A histogram bar for amounts from `from` up to, but not including, `to`. */
export type PriceBar = { from: number; to: number; count: number };

const stepsPerDecade = 100;
/** The first and the last step. They also count amounts below 0.001 and above 10 million. */
const [stepMin, stepMax] = [-3 * stepsPerDecade, 7 * stepsPerDecade];

function stepOf(amount: number): number {
  // The addend keeps 10 in the step that begins with 10, despite the rounding of the logarithm.
  const step = Math.floor(Math.log10(amount) * stepsPerDecade + 1e-9);
  return Math.min(stepMax, Math.max(stepMin, step));
}

const amountOf = (step: number): number => 10 ** (step / stepsPerDecade);

/** Counts prices one by one. Its memory use does not depend on the number of prices. */
export function createPriceCounter(): {
  /** `currency`: the price's currency, or null if it is unknown. */
  add: (amount: number, currency?: string | null) => void;
  counts: () => PriceCounts;
} {
  const steps = new Map<number, number>();
  /** Number of prices by currency. The key null counts prices without a currency. */
  const named = new Map<string | null, number>();
  let zeros = 0;
  let low: number | null = null;
  let high: number | null = null;
  return {
    add(amount, currency = null) {
      if (!(amount > 0)) {
        zeros += amount === 0 ? 1 : 0;
        return;
      }
      const step = stepOf(amount);
      steps.set(step, (steps.get(step) ?? 0) + 1);
      if (low === null || amount < low) low = amount;
      if (high === null || amount > high) high = amount;
      named.set(currency, (named.get(currency) ?? 0) + 1);
    },
    counts: () => ({
      steps: [...steps].sort(([one], [other]) => one - other),
      ...{ zeros, low, high, ...currenciesOf(named) },
    }),
  };
}

/** Returns the currencies of prices. If more than half have the same currency or none, the other prices are `few`. */
function currenciesOf(named: ReadonlyMap<string | null, number>): Pick<PriceCounts, 'currencies' | 'few'> {
  const counts = [...named];
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const most = counts.find(([, count]) => count * 2 > all);
  const isFew = ([currency]: readonly [string | null, number]) =>
    most !== undefined && currency !== null && currency !== most[0];
  const few = counts.filter(isFew);
  const namesOf = (some: typeof counts) => some.flatMap(([currency]) => currency ?? []);
  return {
    currencies: namesOf(counts.filter((one) => !isFew(one))),
    few: { count: few.reduce((sum, [, count]) => sum + count, 0), currencies: namesOf(few) },
  };
}

/** Returns the number of prices above 0. */
export function countPrices({ steps }: Pick<PriceCounts, 'steps'>): number {
  return steps.reduce((sum, [, count]) => sum + count, 0);
}

/** Returns the median of the prices above 0, to about 1 % and within their range, or null if there are no prices. */
export function medianPrice(counts: PriceCounts): number | null {
  const { low, high } = counts;
  const half = countPrices(counts) / 2;
  let passed = 0;
  for (const [step, count] of counts.steps) {
    passed += count;
    if (passed < half || count === 0) continue;
    const middle = amountOf(step + 0.5);
    return Math.min(high ?? middle, Math.max(low ?? middle, middle));
  }
  return null;
}

/** Returns up to `barsMax` equally wide bars on a log scale that covers the amount `include`. Empty without prices. */
export function createPriceBars(
  { steps }: Pick<PriceCounts, 'steps'>,
  barsMax: number,
  include: number | null = null,
): PriceBar[] {
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) return [];
  const marked = include !== null && include > 0 ? stepOf(include) : first[0];
  const from = Math.min(first[0], marked);
  const to = Math.max(last[0], marked) + 1;
  const width = Math.ceil((to - from) / barsMax);
  const bars = Array.from({ length: Math.ceil((to - from) / width) }, (_, at) => ({
    from: amountOf(from + at * width),
    to: amountOf(from + (at + 1) * width),
    count: 0,
  }));
  for (const [step, count] of steps) {
    const bar = bars[Math.floor((step - from) / width)];
    if (bar) bar.count += count;
  }
  return bars;
}

/** Returns the position of an amount on the scale of bars, 0 to 1. */
export function positionOfPrice(bars: readonly PriceBar[], amount: number): number {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined || amount <= 0) return 0;
  const [low, high] = [Math.log10(first.from), Math.log10(last.to)];
  return Math.min(1, Math.max(0, (Math.log10(amount) - low) / (high - low)));
}
