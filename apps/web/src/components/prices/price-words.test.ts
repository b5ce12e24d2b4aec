import { expect, test } from 'vitest';
import { amountWords, barWords, sampledWords, summaryWords } from './price-words.ts';

test('amounts have groups of digits and two decimals', () => {
  expect([0.5, 19.999, 1_000_000.99].map(amountWords)).toEqual(['$0.50', '$20.00', '$1,000,000.99']);
  expect(barWords({ from: 10, to: 12.5, count: 1_000_000 })).toBe('$10.00 to $12.50: 1,000,000 rows');
});

const counts = (step: number, zeros = 0) => ({ steps: [[step, 4]] as [number, number][], zeros });

test.each([
  { prices: { steps: [], zeros: 0 }, store: 20, words: 'No prices yet.' },
  { prices: { steps: [], zeros: 3 }, store: null, words: 'All prices are 0.' },
  { prices: counts(100), store: null, words: 'Half of the prices are below about $10.12.' },
  {
    prices: counts(100, 1),
    store: 12,
    words: 'Half of the prices are below about $10.12. The line is the store’s median, $12.00. 1 price is 0.',
  },
  {
    prices: counts(300),
    store: 12,
    words:
      'Half of the prices are below about $1,011.58. The line is the store’s median, $12.00. Are these prices in cents, or without their decimal mark?',
  },
  {
    prices: counts(-100),
    store: 12,
    words:
      'Half of the prices are below about $0.10. The line is the store’s median, $12.00. Are these prices too low?',
  },
])('$words', ({ prices, store, words }) => {
  expect(summaryWords(prices, store)).toBe(words);
});

test('says of how many rows the prices are, unless of all', () => {
  expect(sampledWords({ rows: 1000, totalRows: 1_000_000 })).toBe('From 1,000 of 1,000,000 rows.');
  expect(sampledWords({ rows: 53, totalRows: 53 })).toBeNull();
});
