import { expect, test } from 'vitest';
import { leftSentences, leftWords } from './left-words.ts';

test('cells that are left name their first row and its value', () => {
  expect(leftWords({ reason: 'not-a-number', cells: 12, row: 5, before: 'n/a' })).toBe(
    '12 cells: not a number. The first is “n/a” in row 5.',
  );
  expect(leftWords({ reason: 'nothing-to-take', cells: 1, row: 5000, before: null })).toBe(
    '1 cell: nothing to copy. The first is empty, in row 5,000.',
  );
});

test('what a change left is said per reason', () => {
  expect(leftSentences({})).toEqual([]);
  expect(leftSentences({ 'changed-since': 1, 'not-a-number': 1_200 })).toEqual([
    'Left unchanged: 1,200 values (not a number).',
    'Left unchanged: 1 value (changed by somebody meanwhile).',
  ]);
});
