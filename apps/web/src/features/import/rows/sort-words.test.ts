import { expect, it } from 'vitest';
import { sortWords } from './sort-words.ts';

const sorting = { isSorting: false, done: 60, total: 60 } as const;

it('says what rows are sorted by, how far that is, and when values have changed since', () => {
  const of = {
    sort: '-price',
    sorting,
    isOld: false,
    sorted: { isOutdated: false, time: '9:12 PM' },
  } as const;
  expect(sortWords(of)).toBe('Sorted by Price, descending');
  expect(sortWords({ ...of, sort: 'vendor,-price' })).toBe(
    'Sorted by Brand, ascending, then by Price, descending',
  );
  expect(sortWords({ ...of, sorted: { isOutdated: true, time: '9:12 PM' } })).toBe(
    'Sorted by Price, descending as of 9:12 PM. Values were edited since.',
  );
  expect(
    sortWords({ ...of, sorting: { ...sorting, isSorting: true, done: 400_000, total: 1_000_000 } }),
  ).toBe('Sorting 1,000,000 rows by Price: 40%');
  expect(sortWords({ ...of, isOld: true })).toBe('Sorting by Price…');
  expect(sortWords({ ...of, sorted: null })).toMatch(/can’t be sorted/);
});
