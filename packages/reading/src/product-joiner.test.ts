import { productRowsMax } from '@draftshelf/domain/products/grouping';
import { expect, test } from 'vitest';
import { createProductJoiner } from './product-joiner.ts';

const row = (groupKey: string | null, startsProduct = true) => ({
  startsProduct,
  groupKey,
  parentKey: null,
  inherited: {},
});

test('rows of one key are one product wherever they stand, and other products keep their numbers', () => {
  const joiner = createProductJoiner();
  const keys = ['a', 'b', 'a', null, 'b', 'c'];
  expect(keys.map((key) => joiner.next(row(key)))).toEqual([1, 2, 1, 4, 2, 6]);
  expect([joiner.products, joiner.exact]).toEqual([4, true]);
});

test('a product has at most as many rows as the store has variants', () => {
  const joiner = createProductJoiner();
  for (let at = 0; at < productRowsMax; at += 1) joiner.next(row('a', at === 0));
  joiner.next(row('b'));
  expect(joiner.next(row('a'))).toBe(3);
  expect(joiner.next(row('a', false))).toBe(3);
  expect(joiner.products).toBe(3);
});

test('with too many keys, adjacent rows are still one product, and the count says that it is not exact', () => {
  const joiner = createProductJoiner(2);
  for (const key of ['a', 'b', 'c']) joiner.next(row(key));
  joiner.next(row('c', false));
  expect([joiner.products, joiner.exact]).toEqual([3, false]);
  expect(joiner.next(row('a'))).toBe(1);
  expect([joiner.next(row('c')), joiner.products]).toEqual([5, 4]);
});

test('of many keys, each is found again', () => {
  const count = 50_000;
  const joiner = createProductJoiner(count);
  const keys = Array.from({ length: count }, (_, at) => `handle:lamp-${at}`);
  const numbers = keys.map((key) => joiner.next(row(key)));
  expect(numbers).toEqual(Array.from({ length: count }, (_, at) => at + 1));
  expect(keys.map((key) => joiner.next(row(key)))).toEqual(numbers);
  expect([joiner.products, joiner.exact]).toEqual([count, true]);
});
