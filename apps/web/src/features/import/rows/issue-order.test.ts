import { expect, test } from 'vitest';
import { byCount } from './issue-order.ts';

test('names with most rows come first, and those without rows are left out', () => {
  const names = ['one', 'many', 'none', 'as many'] as const;
  expect(byCount(names, { one: 1, many: 1_000_000, none: 0, 'as many': 1_000_000 })).toEqual([
    'many',
    'as many',
    'one',
  ]);
  expect(byCount(names, {})).toEqual([]);
});
