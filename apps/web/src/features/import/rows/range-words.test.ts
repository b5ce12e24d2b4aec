import { expect, test } from 'vitest';
import { rangeWords } from './range-words.ts';

test.each([
  ['25 of 28 matching rows', { onPage: 25, stillMatch: 25, matching: 28 }],
  ['1 matching row on this page', { onPage: 1, stillMatch: 1, matching: null }],
  ['4 rows, 3 of them still match', { onPage: 4, stillMatch: 3, matching: 3 }],
  ['4 rows, 0 of them still match', { onPage: 4, stillMatch: 0, matching: null }],
  ['1 row, which no longer matches', { onPage: 1, stillMatch: 0, matching: 0 }],
])('%s', (words, range) => {
  expect(rangeWords(range)).toBe(words);
});
