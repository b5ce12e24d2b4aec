import { expect, test } from 'vitest';
import { amountWords, formatRowPrice, priceBarWords, priceSummaryWords, sampledRowsWords } from './prices.ts';

test('amounts have groups of digits, two decimals, and the sign of a currency that is known', () => {
  const amounts = (currency: string | null) =>
    [0.5, 19.999, 1_000_000.99].map((one) => amountWords(one, currency));
  expect(amounts(null)).toEqual(['0.50', '20.00', '1,000,000.99']);
  expect(amounts('USD')).toEqual(['$0.50', '$20.00', '$1,000,000.99']);
  expect([amountWords(12, 'CAD'), amountWords(12, 'EUR')]).toEqual(['CA$12.00', '€12.00']);
  expect(priceBarWords({ from: 10, to: 12.5, count: 1_000_000 }, 'EUR')).toBe(
    '€10.00 to €12.50: 1,000,000 rows',
  );
});

const few = { count: 0, currencies: [] as string[] };
const counts = (step: number, currencies: string[], zeros = 0) => ({
  ...{ steps: [[step, 4]] as [number, number][], low: null, high: null },
  ...{ zeros, currencies, few },
});
const store = { median: 12, currency: 'CAD' };
const none = { steps: [], low: null, high: null, currencies: [], few };
const line = 'The line marks the store’s median price, CA$12.00.';

test.each([
  { prices: { ...none, zeros: 0 }, store, words: 'No prices yet.' },
  { prices: { ...none, zeros: 3 }, store: null, words: 'All prices are 0.' },
  { prices: counts(100, ['CAD']), store: null, words: 'Half of the prices are below about CA$10.12.' },
  {
    prices: counts(100, ['CAD'], 1),
    store,
    words: `Half of the prices are below about CA$10.12. ${line} 1 price is 0.`,
  },
  {
    prices: counts(300, []),
    store,
    words: `Half of the prices are below about 1,011.58. The prices name no currency. ${line} Are these prices in cents, or without their decimal mark?`,
  },
  {
    prices: counts(-100, ['CAD']),
    store,
    words: `Half of the prices are below about CA$0.10. ${line} Are these prices too low?`,
  },
  {
    prices: counts(300, ['EUR']),
    store,
    words:
      'Half of the prices are below about €1,011.58. They are in EUR, so they aren’t compared with your store’s prices in CAD.',
  },
  {
    prices: counts(100, ['EUR']),
    store: { median: 12, currency: null },
    words: 'Half of the prices are below about €10.12.',
  },
  {
    prices: counts(100, ['CAD', 'EUR']),
    store,
    words: 'Half of the prices are below about 10.12. The prices are in several currencies: CAD, EUR.',
  },
  {
    prices: { ...counts(100, []), few: { count: 1, currencies: ['EUR'] } },
    store,
    words: `Half of the prices are below about 10.12. ${line} 1 price is in EUR.`,
  },
])('$words', ({ prices, store, words }) => {
  expect(priceSummaryWords(prices, store)).toBe(words);
});

test('says of how many rows the prices are, unless of all', () => {
  expect(sampledRowsWords({ rows: 1000, totalRows: 1_000_000 })).toBe('From 1,000 of 1,000,000 rows.');
  expect(sampledRowsWords({ rows: 53, totalRows: 53 })).toBeNull();
});

test.each([
  ['46', 'EUR', '€46.00'],
  ['12,5', 'GBP', '£12.50'],
  ['7', 'CAD', '$7.00'],
  ['7', undefined, '$7.00'],
  ['7', 'Euro', '$7.00'],
  ['', 'EUR', '€0.00'],
  ['€ 29.04', undefined, '€29.04'],
  ['29.04 EUR', 'CAD', '€29.04'],
])('shows a price of %j in %j as %j', (value, currency, shown) => {
  expect(formatRowPrice(value, currency)).toBe(shown);
});
