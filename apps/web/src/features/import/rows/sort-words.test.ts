import { expect, it } from 'vitest';
import { sortWords } from './sort-words.ts';

it('says what rows are sorted by', () => {
  expect(sortWords('-price', false)).toBe('Sorted by Price, descending');
  expect(sortWords('vendor,-price', false)).toBe('Sorted by Brand, ascending, then by Price, descending');
  expect(sortWords('vendor,-price', true)).toBe('Sorting by Brand and Price…');
});
