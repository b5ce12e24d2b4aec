import { expect, test } from 'vitest';
import { parseRowSort, splitRowSort } from './row-sort.ts';

test('a sort names one or two fields, each with its direction', () => {
  const named = ['price', '-price', 'vendor,-price', '-vendor,price'];
  expect(named.map(parseRowSort)).toEqual(named);
  const others = [
    '',
    'nonsense',
    'description',
    'price,',
    ',price',
    '--price',
    'price,-price',
    'sku,upc,price',
  ];
  expect(others.map(parseRowSort)).toEqual(others.map(() => null));
  expect(splitRowSort('-vendor,price')).toEqual([
    { field: 'vendor', direction: 'descending' },
    { field: 'price', direction: 'ascending' },
  ]);
});
