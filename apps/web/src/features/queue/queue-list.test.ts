import { expect, test } from 'vitest';
import { describeQueuePage } from './queue-list.tsx';

test.each([
  [{ count: 20, total: 20, isNewest: true }, null],
  [{ count: 700, total: 2345, isNewest: true }, 'Showing the newest 700 of 2,345 imports.'],
  [{ count: 200, total: 2345, isNewest: false }, 'Showing 200 older imports of 2,345.'],
  [{ count: 0, total: 20, isNewest: false }, 'No older imports.'],
])('%o', (page, words) => {
  expect(describeQueuePage({ ...page, isFiltered: false })).toBe(words);
});

test('with a filter the imports are searched, not shown', () => {
  expect(describeQueuePage({ count: 700, total: 2345, isNewest: true, isFiltered: true })).toBe(
    'Searched the newest 700 of 2,345 imports.',
  );
});
