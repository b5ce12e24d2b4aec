import { expect, test } from 'vitest';
import { describeValues } from './values-panel.tsx';

const read = { rows: 1180, empty: 3, distinct: 2, isAll: true, values: [{ value: 'Oak', rows: 9 }] };

test('says how many values were found, and in which rows', () => {
  expect(describeValues(read)).toBe('2 values in 1,180 rows, 3 rows without one, the commonest 1 below.');
  expect(describeValues({ ...read, isAll: false, empty: 0, distinct: 1 })).toBe(
    '1 value in the first 1,180 rows.',
  );
});

test('says that a filter leaves no rows to read values from', () => {
  const nothing = { rows: 0, empty: 0, distinct: 0, isAll: true, values: [] };
  expect(describeValues(nothing)).toBe('No rows match the filter, so there are no values.');
});
