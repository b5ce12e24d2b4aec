import { expect, test } from 'vitest';
import { findLateList } from './compare-lists.ts';

const file = (filename: string, at?: string) => ({
  filename,
  file_at: at === undefined ? null : new Date(at),
});
const none = { back: 0, of: 10 };

test.each([
  ['days in both names', file('acme 2026-11-26.csv'), file('acme 2026-11-27.csv'), true],
  ['the same day', file('acme 2026-11-27.csv'), file('acme 27.11.2026.csv'), false],
  ['months in both names', file('acme 2026-10.csv'), file('acme 2026-11.csv'), true],
  ['a month and a day of it', file('acme 2026-11.csv'), file('acme 2026-11-27.csv'), false],
  ['a day of an earlier month', file('acme 2026-10-30.csv'), file('acme 2026-11.csv'), true],
  ['times alone', file('a.csv', '2026-11-26T08:00Z'), file('b.csv', '2026-11-27T08:00Z'), true],
  ['a later time', file('a.csv', '2026-11-28T08:00Z'), file('b.csv', '2026-11-27T08:00Z'), false],
  ['a month and a time of it', file('acme 2026-11.csv'), file('stock.csv', '2026-11-27T08:00Z'), false],
  ['a day and a time of its month', file('acme 2026-11-02.csv'), file('b.csv', '2026-11-27T08:00Z'), false],
  ['an earlier month and a time', file('acme 2026-10.csv'), file('b.csv', '2026-11-27T08:00Z'), true],
  ['a time and a later month', file('b.csv', '2026-10-31T08:00Z'), file('acme 2026-11.csv'), true],
  [
    'names before times',
    file('acme 2026-11.csv', '2026-12-24T08:00Z'),
    file('acme 2026-12.csv', '2026-12-01T08:00Z'),
    true,
  ],
  ['a file of which nothing is known', file('a.csv'), file('acme 2026-11.csv'), false],
])('a list is late by %s', (_, list, full, isLate) => {
  const late = findLateList(list, { last: file('last.csv'), full }, none);
  expect(late).toEqual(isLate ? { filename: full.filename, ...none } : undefined);
});

test('a list is late whose rows go back to what was before the last one', () => {
  const files = { last: file('last.csv'), full: file('full.csv') };
  expect(findLateList(file('a.csv'), files, { back: 5, of: 10 })).toMatchObject({ filename: 'last.csv' });
  expect(findLateList(file('a.csv'), files, { back: 4, of: 10 })).toBeUndefined();
  expect(findLateList(file('a.csv'), files, { back: 2, of: 2 })).toBeUndefined();
});
