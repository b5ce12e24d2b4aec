import { expect, test } from 'vitest';
import { firstDrafts } from './first-drafts.ts';

const created = { result: 'created', message: null, storeUrl: 'https://shop.example/admin/1' } as const;
const image = (state: 'ok' | 'failed' | 'none') => ({ state, reason: null, lookup: null });
const row = (product: number, set: object = {}) => ({
  product,
  values: { title: `Vase ${product}`, image: `https://pictures.example/${product}.png` } as Record<
    string,
    string
  >,
  outcome: created,
  image: image('ok'),
  ...set,
});

test('the first three products that were created with a picture are shown', () => {
  const rows = [row(1), row(1), row(2), row(3), row(4)];
  expect(firstDrafts(rows).map(({ product }) => product)).toEqual([1, 2, 3]);
  expect(firstDrafts(rows)[0]).toEqual({
    product: 1,
    storeUrl: 'https://shop.example/admin/1',
    title: 'Vase 1',
    picture: 'https://pictures.example/1.png',
  });
  expect(firstDrafts([])).toEqual([]);
});

test('products without a picture that loads, or that the store does not have, are left out', () => {
  const rows = [
    row(1, { image: image('failed') }),
    row(2, { values: { title: 'Bowl' }, image: image('none') }),
    row(3, { outcome: { ...created, result: 'skipped' } }),
    row(4, { outcome: null }),
    row(5, { outcome: { ...created, storeUrl: null } }),
    row(6),
  ];
  expect(firstDrafts(rows).map(({ product }) => product)).toEqual([6]);
});
