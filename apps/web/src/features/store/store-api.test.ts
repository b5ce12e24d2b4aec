import { expect, test } from 'vitest';
import {
  distribution,
  listSelectedIds,
  priceWords,
  pushTimeWords,
  readInventory,
  searchProducts,
  toggleImports,
} from './store-api.ts';

const product = (title: string, status = 'draft', vendor = 'Nordic') => ({
  id: 1,
  title,
  status,
  vendor,
  images: [],
  variants: [],
  updated_at: '2026-11-20T10:00:00Z',
});

test('a search finds titles, vendors and statuses in any case', () => {
  const products = [product('Oak Lamp'), product('Vase', 'active', 'Lampion'), product('Bowl', 'archived')];
  expect(searchProducts(products, ' LAMP ').map(({ title }) => title)).toEqual(['Oak Lamp', 'Vase']);
  expect(searchProducts(products, 'archived')).toHaveLength(1);
  expect(searchProducts(products, '')).toHaveLength(3);
});

test.each([
  ['24.99', 'USD', '$24.99'],
  ['1299', 'USD', '$1,299.00'],
  ['24.99', 'CAD', '$24.99'],
  ['1234.5', 'EUR', '€1,234.50'],
  ['24.99', null, '$24.99'],
  ['', 'USD', 'N/A'],
])('%s in %s is %s', (price, currency, words) => {
  expect(priceWords({ variants: [{ price, inventory_quantity: 1 }] }, currency)).toBe(words);
});

test('a product without a variant has no price and no inventory', () => {
  expect(priceWords({ variants: [] }, 'USD')).toBe('N/A');
  expect(readInventory({ variants: [] })).toBe(0);
  expect(readInventory({ variants: [{ price: '1', inventory_quantity: null }] })).toBe(0);
  expect(readInventory({ variants: [{ price: '1', inventory_quantity: 7 }] })).toBe(7);
});

test('the distribution counts each status', () => {
  expect(distribution([product('a'), product('b', 'active'), product('c', 'active')])).toEqual([
    { status: 'active', count: 2, percent: 67 },
    { status: 'draft', count: 1, percent: 33 },
    { status: 'archived', count: 0, percent: 0 },
  ]);
  expect(distribution([]).map(({ percent }) => percent)).toEqual([0, 0, 0]);
});

test('imports that are gone are not selected, and the others keep their order', () => {
  expect(listSelectedIds(new Set(['c', 'gone', 'a']), [{ id: 'a' }, { id: 'b' }, { id: 'c' }])).toEqual([
    'a',
    'c',
  ]);
});

test('with Shift, all imports between the last one and this one become what this one becomes', () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const after = (selected: string[], id: string, from: string | null) => [
    ...toggleImports(new Set(selected), ids, id, from),
  ];
  expect(after(['a'], 'b', null)).toEqual(['a', 'b']);
  expect(after(['a', 'b'], 'a', null)).toEqual(['b']);
  expect(after(['b'], 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(after(['d'], 'b', 'd')).toEqual(['d', 'b', 'c']);
  expect(after(['a', 'b', 'c', 'd', 'e'], 'd', 'b')).toEqual(['a', 'e']);
  // The one before has left the list meanwhile.
  expect(after(['a'], 'c', 'gone')).toEqual(['a', 'c']);
});

test('the time of a push is said in the unit that fits, if the pace is known', () => {
  expect(pushTimeWords(412, null)).toBe('');
  expect(pushTimeWords(0, 16)).toBe('');
  expect(pushTimeWords(100, 16)).toBe('a few seconds');
  expect(pushTimeWords(412, 16)).toBe('about 30 s');
  expect(pushTimeWords(4_000, 16)).toBe('about 5 min');
  expect(pushTimeWords(100_000, 16)).toBe('about 2 h');
});
