import { expect, test } from 'vitest';
import {
  countPrices,
  createPriceBars,
  createPriceCounter,
  medianPrice,
  positionOfPrice,
} from './price-counts.ts';

function countsOf(amounts: Iterable<number>) {
  const counter = createPriceCounter();
  for (const amount of amounts) counter.add(amount);
  return counter.counts();
}

test('without prices there are no bars and no median', () => {
  const none = countsOf([]);
  expect(createPriceBars(none, 20)).toEqual([]);
  expect(createPriceBars(none, 20, 15)).toEqual([]);
  expect([countPrices(none), medianPrice(none)]).toEqual([0, null]);
  expect(positionOfPrice([], 5)).toBe(0);
  // Zeros, and what is no amount, have no place on a log scale.
  expect(countsOf([0, 0, Number.NaN, -1])).toEqual({
    ...{ steps: [], zeros: 2, low: null, high: null, currencies: [], few: { count: 0, currencies: [] } },
  });
});

test('one price is one bar that contains it', () => {
  const [bar, ...others] = createPriceBars(countsOf([10]), 20);
  expect(others).toEqual([]);
  expect(bar?.from).toBe(10);
  expect(bar?.to).toBeGreaterThan(10);
  expect(bar?.count).toBe(1);
});

test('a million prices are counted in at most 20 bars of equal width', () => {
  const million = 1_000_000;
  const counts = countsOf(Array.from({ length: million }, (_, at) => 1 + (at % 1000)));
  const bars = createPriceBars(counts, 20);
  expect(bars.length).toBeLessThanOrEqual(20);
  expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(million);
  const widths = bars.map(({ from, to }) => to / from);
  for (const width of widths) expect(width).toBeCloseTo(widths[0] ?? 0, 6);
  const median = medianPrice(counts) ?? 0;
  expect(median).toBeGreaterThan(450);
  expect(median).toBeLessThan(550);
});

test('cents for dollars stand far from the store’s median, which the scale includes', () => {
  const bars = createPriceBars(countsOf([1999, 2999, 4999]), 20, 24.5);
  expect(bars[0]?.from).toBeLessThanOrEqual(24.5);
  expect(bars[0]?.count).toBe(0);
  expect(positionOfPrice(bars, 24.5)).toBeLessThan(0.1);
  expect(positionOfPrice(bars, 4999)).toBeGreaterThan(0.9);
  expect(bars.at(-1)?.to).toBeGreaterThan(4999);
});

test('a mark above all prices is on the scale too, and amounts beyond it are at its ends', () => {
  const bars = createPriceBars(countsOf([0.19, 0.29]), 20, 29);
  expect(positionOfPrice(bars, 29)).toBeGreaterThan(0.9);
  expect(positionOfPrice(bars, 1e9)).toBe(1);
  expect(positionOfPrice(bars, 0.0001)).toBe(0);
});

test('the lowest and the highest price are those of the rows, and the median lies between them', () => {
  const counts = countsOf([24.5, 9, 18, 0]);
  expect([counts.low, counts.high]).toEqual([9, 24.5]);
  const one = countsOf([12]);
  expect([one.low, medianPrice(one), one.high]).toEqual([12, 12, 12]);
});

test('currencies are named once, those of prices of 0 not at all', () => {
  const counter = createPriceCounter();
  counter.add(5, 'EUR');
  counter.add(6);
  counter.add(7, 'EUR');
  counter.add(0, 'USD');
  expect(counter.counts().currencies).toEqual(['EUR']);
  counter.add(8, 'CAD');
  expect(counter.counts().currencies).toEqual(['EUR', 'CAD']);
});

test('a few prices in another currency than most do not name that of all', () => {
  const of = (...named: (string | null)[]) => {
    const counter = createPriceCounter();
    for (const currency of named) counter.add(5, currency);
    const { currencies, few } = counter.counts();
    return [currencies, few];
  };
  expect(of(null, null, 'EUR')).toEqual([[], { count: 1, currencies: ['EUR'] }]);
  expect(of('CAD', 'EUR', 'CAD', 'CAD', 'USD', null)).toEqual([
    ['CAD', 'EUR', 'USD'],
    { count: 0, currencies: [] },
  ]);
  expect(of('CAD', 'EUR', 'CAD', 'CAD', null)).toEqual([['CAD'], { count: 1, currencies: ['EUR'] }]);
});
