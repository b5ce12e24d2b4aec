import { expect, it, test } from 'vitest';
import {
  alreadyInStoreWords,
  computeRates,
  formatPushTimes,
  pickDrafts,
  rateWords,
  stepWords,
  summarizeSeries,
  toTimeSpans,
} from './report-parts.tsx';

it.each([
  [1, 1, 'The product is already in the store.'],
  [12, 12, 'All 12 are already in the store.'],
  [1, 5, '1 of 5 products is already in the store.'],
  [3, 5, '3 of 5 products are already in the store.'],
])('%i of %i products are in the store', (inStore, total, words) => {
  expect(alreadyInStoreWords(inStore, total)).toBe(words);
});

const at = (minute: number) => new Date(2026, 2, 10, 14, minute).toISOString();

test('spans say what it was, when, and how long it took', () => {
  const spans = toTimeSpans(
    [
      { kind: 'read', startedAt: at(0), endedAt: at(1) },
      { kind: 'waited', startedAt: at(1), endedAt: null },
    ],
    Date.parse(at(5)),
  );
  expect(spans).toEqual([
    { kind: 'read', name: 'Read', when: '2:00 PM', took: '1m 0s', lengthMs: 60_000 },
    { kind: 'idle', name: 'Waited for you', when: '2:01 PM', took: '4m 0s so far', lengthMs: 240_000 },
  ]);
  expect(toTimeSpans([], 0)).toEqual([]);
});

const created = { result: 'created', message: null, storeUrl: 'https://shop.example/admin/1' } as const;
const image = (state: 'ok' | 'failed' | 'none') => ({ state, reason: null, lookup: null });
const row = (product: number, set: object = {}) => ({
  product,
  values: { title: `Vase ${product}`, image: `https://pictures.example/${product}.png` } as Record<
    string,
    string
  >,
  outcome: created,
  image: image('ok'),
  ...set,
});

test('the first three products that were created with a picture are shown', () => {
  const rows = [row(1), row(1), row(2), row(3), row(4)];
  expect(pickDrafts(rows).map(({ product }) => product)).toEqual([1, 2, 3]);
  expect(pickDrafts(rows)[0]).toEqual({
    product: 1,
    storeUrl: 'https://shop.example/admin/1',
    title: 'Vase 1',
    src: 'https://pictures.example/1.png',
    isChecked: true,
  });
  expect(pickDrafts([])).toEqual([]);
});

test('products without a picture that loads, or that the store does not have, are left out', () => {
  const rows = [
    row(1, { image: image('failed') }),
    row(2, { values: { title: 'Bowl' }, image: image('none') }),
    row(3, { outcome: { ...created, result: 'skipped' } }),
    row(4, { outcome: null }),
    row(5, { outcome: { ...created, storeUrl: null } }),
    row(6),
  ];
  expect(pickDrafts(rows).map(({ product }) => product)).toEqual([6]);
});

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
  expect(computeRates(series)).toEqual([17, null, 0.5]);
  expect(formatPushTimes(series)).toEqual(['2:05 PM', '2:08 PM']);
  expect(stepWords(series)).toEqual([
    '2:05 PM: 17/s, 1,020 products',
    '2:06 PM: nothing sent',
    '2:07 PM: 30/min, 30 products',
  ]);
});

test('the summary has the average, and the plan’s rate if it is known', () => {
  expect(summarizeSeries(series)).toBe(
    '1,050 products, 5.8/s on average. The store’s plan allows 7.1/s (dashed).',
  );
  expect(summarizeSeries({ ...series, planPerSecond: null })).toBe('1,050 products, 5.8/s on average.');
  expect(summarizeSeries({ ...series, products: [] })).toBe(
    '0 products, 0/s on average. The store’s plan allows 7.1/s (dashed).',
  );
});
