import { expect, test } from 'vitest';
import { unchangedCellSentences } from './edits-api.ts';

test('what a change left is said per reason', () => {
  expect(unchangedCellSentences({})).toEqual([]);
  expect(unchangedCellSentences({ 'changed-since': 1, 'not-a-number': 1_200 })).toEqual([
    'Left unchanged: 1,200 values (not a number).',
    'Left unchanged: 1 value (changed by somebody meanwhile).',
  ]);
  expect(
    unchangedCellSentences({ 'not-allowed': 2, 'no-result': 1 }, { 'not-allowed': [5, 9], 'no-result': [7] }),
  ).toEqual([
    'Left unchanged: 1 value (the result would be zero, negative or no number), in row 7.',
    'Left unchanged: 2 values (the field can’t have this value), in rows 5 and 9.',
  ]);
});
