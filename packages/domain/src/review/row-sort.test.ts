import { expect, test } from 'vitest';
import { orderOf, parseRowSort, sortsOf } from './row-sort.ts';

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
  expect(sortsOf('-vendor,price')).toEqual([
    { field: 'vendor', direction: 'descending' },
    { field: 'price', direction: 'ascending' },
  ]);
});

test('by one field, both directions are read from one order; by two, each has its own', () => {
  expect(orderOf('price')).toEqual({ order: 'price', direction: 'ascending' });
  expect(orderOf('-price')).toEqual({ order: 'price', direction: 'descending' });
  expect(orderOf('-vendor,price')).toEqual({ order: '-vendor,price', direction: 'ascending' });
});
