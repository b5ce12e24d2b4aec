import { expect, test } from 'vitest';
import { profileColumn } from './column-details.ts';
import { collectEvidence } from './mapping/column-evidence.ts';

test('a profile says what the first rows hold of a column', () => {
  const titles = collectEvidence(['Lamp', 'Lamp ', 'Vase', 'Bowl', 'Dish']);
  expect(profileColumn('title', titles)).toEqual({
    ...{ rows: 5, filled: 1, numeric: 0, distinct: 0.8 },
    amounts: null,
  });
  const notes = collectEvidence(['', 'seen', '', '', '']);
  expect(profileColumn(null, notes)).toMatchObject({ filled: 0.2, numeric: 0, distinct: 1 });
});

test('a column of prices has a histogram of its amounts', () => {
  const prices = collectEvidence(['10', '20', '', 'call us', '30', '40']);
  const { amounts, ...shares } = profileColumn('price', prices);
  expect(shares).toEqual({ rows: 6, filled: 0.83, numeric: 0.8, distinct: 1 });
  expect(amounts?.reduce((sum, count) => sum + count)).toBe(4);
  expect(profileColumn('title', prices).amounts).toBeNull();
});

test('a column without rows has an empty profile', () => {
  expect(profileColumn('price', collectEvidence([]))).toEqual({
    ...{ rows: 0, filled: 0, numeric: 0, distinct: 0 },
    amounts: [],
  });
});
