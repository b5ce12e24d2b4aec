import { expect, it, test } from 'vitest';
import { inStoreWords, spansOf } from './report-words.ts';

it.each([
  [1, 1, 'The product is already in the store.'],
  [12, 12, 'All 12 are already in the store.'],
  [1, 5, '1 of 5 products is already in the store.'],
  [3, 5, '3 of 5 products are already in the store.'],
])('%i of %i products are in the store', (inStore, total, words) => {
  expect(inStoreWords(inStore, total)).toBe(words);
});

const at = (minute: number) => new Date(2026, 2, 10, 14, minute).toISOString();

test('spans say what it was, when, and how long it took', () => {
  const spans = spansOf(
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
  expect(spansOf([], 0)).toEqual([]);
});
