import { expect, test } from 'vitest';
import { endsOf, ratesOf, rateWords, seriesSummary, stepWords } from './push-series-words.ts';

const startedAt = new Date(2026, 2, 10, 14, 5).toISOString();
const series = { startedAt, endedAt: null, stepMs: 60_000, products: [1020, 0, 30], planPerSecond: 7.14 };

test('a rate has two digits, and is by the minute below one a second', () => {
  expect([0, 0.5, 0.001, 17.34, 1_000_000].map(rateWords)).toEqual([
    '0/s',
    '30/min',
    '1/min',
    '17/s',
    '1,000,000/s',
  ]);
});

test('a step without products is a gap', () => {
  expect(ratesOf(series)).toEqual([17, null, 0.5]);
  expect(endsOf(series)).toEqual(['2:05 PM', '2:08 PM']);
  expect(stepWords(series)).toEqual([
    '2:05 PM: 17/s, 1,020 products',
    '2:06 PM: nothing sent',
    '2:07 PM: 30/min, 30 products',
  ]);
});

test('the summary has the average, and the plan’s rate if it is known', () => {
  expect(seriesSummary(series)).toBe(
    '1,050 products, 5.8/s on average. The plan refills for 7.1/s (dashed).',
  );
  expect(seriesSummary({ ...series, planPerSecond: null })).toBe('1,050 products, 5.8/s on average.');
  expect(seriesSummary({ ...series, products: [] })).toBe(
    '0 products, 0/s on average. The plan refills for 7.1/s (dashed).',
  );
});
