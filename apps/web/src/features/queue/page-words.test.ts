import { expect, test } from 'vitest';
import { pageWords } from './page-words.ts';

test.each([
  [{ shown: 20, total: 20, isNewest: true }, null],
  [{ shown: 700, total: 2345, isNewest: true }, 'Showing the newest 700 of 2,345 imports.'],
  [{ shown: 200, total: 2345, isNewest: false }, 'Showing 200 older imports of 2,345.'],
  [{ shown: 0, total: 20, isNewest: false }, 'No older imports.'],
])('%o', (page, words) => {
  expect(pageWords({ ...page, isFiltered: false })).toBe(words);
});

test('with a filter the imports are searched, not shown', () => {
  expect(pageWords({ shown: 700, total: 2345, isNewest: true, isFiltered: true })).toBe(
    'Searched the newest 700 of 2,345 imports.',
  );
});
