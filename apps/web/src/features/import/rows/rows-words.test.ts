import { expect, it, test } from 'vitest';
import { shownRowsWords, sortWords } from './sort-state.tsx';
import { noMoreProblemsWords } from './use-problems.ts';

test.each([
  ['25 of 28 matching rows', { onPage: 25, stillMatch: 25, matching: 28 }],
  ['1 matching row on this page', { onPage: 1, stillMatch: 1, matching: null }],
  ['3 of these 4 rows still match', { onPage: 4, stillMatch: 3, matching: 3 }],
  ['0 of these 4 rows still match', { onPage: 4, stillMatch: 0, matching: null }],
  ['1 row, which no longer matches', { onPage: 1, stillMatch: 0, matching: 0 }],
])('%s', (words, range) => {
  expect(shownRowsWords(range)).toBe(words);
});

it('says what rows are sorted by', () => {
  expect(sortWords('-price', false)).toBe('Sorted by Price, descending');
  expect(sortWords('vendor,-price', false)).toBe('Sorted by Brand, ascending, then by Price, descending');
  expect(sortWords('vendor,-price', true)).toBe('Sorting by Brand and Price…');
});

it('says that nothing is left to fix only if no row needs the operator', () => {
  expect(noMoreProblemsWords('next', 0)).toBe('Nothing left to fix.');
  expect(noMoreProblemsWords('previous', 3)).toBe('There is no previous row with a problem.');
});
