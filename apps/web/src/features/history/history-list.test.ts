import { expect, test } from 'vitest';
import { isFiltered, readHistoryFilters, toHistoryParams } from './history-list.tsx';

const none = { status: '', date: '', supplier: '', file: '', page: 1 };

test.each([
  ['', none],
  ['status=all', none],
  [
    'status=failed&date=2026-03-02&supplier=7&file=a%20b&page=3',
    { status: 'failed', date: '2026-03-02', supplier: '7', file: 'a b', page: 3 },
  ],
  ['page=0', none],
  ['page=1.5', none],
  ['page=x', none],
])('reads %j', (search, filters) => {
  expect(readHistoryFilters(new URLSearchParams(search))).toEqual(filters);
});

test('writes only what filters, and reads it again', () => {
  expect(toHistoryParams(none)).toEqual({});
  expect(toHistoryParams({ ...none, status: 'failed', page: 2 })).toEqual({ status: 'failed', page: '2' });
  const some = { status: 'cancelled', date: '2026-03-02', supplier: '7', file: 'lamp', page: 4 };
  expect(readHistoryFilters(new URLSearchParams(toHistoryParams(some)))).toEqual(some);
  expect([none, some].map(isFiltered)).toEqual([false, true]);
});
