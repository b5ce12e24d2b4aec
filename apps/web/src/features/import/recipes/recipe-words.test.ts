import { expect, test } from 'vitest';
import { missedRecipesWords, recipeRowsWords, targetWords } from './repeat-buttons.tsx';

test('a notice names the first of last time’s changes', () => {
  const one = { sentence: 'Price × 1.2' };
  expect(missedRecipesWords([one])).toBe('Price × 1.2 wasn’t applied to this list.');
  expect(missedRecipesWords([one, one, one])).toBe('Price × 1.2 and 2 more weren’t applied to this list.');
});

test('a line says how many rows now and last time, and which', () => {
  const last = { rowsLast: 405 };
  expect(recipeRowsWords(last, undefined)).toBe('last time 405');
  expect(recipeRowsWords(last, { rows: 1, isExact: true })).toBe('1 row, last time 405');
  expect(recipeRowsWords(last, { rows: 3_900, isExact: false })).toBe('about 3,900 rows, last time 405');
  expect(targetWords({})).toBe('All rows');
  expect(targetWords({ value: 'vendor:NIKE' })).toBe('Filtered by: Brand: NIKE');
  expect(targetWords({ products: 12 })).toBe('12 chosen products');
});
