import { expect, test } from 'vitest';
import { freeHandle, handleOf } from './handles.ts';

test.each([
  ['Black Sunglasses', 'black-sunglasses'],
  ['  Ärmel & Co. ', 'ärmel-co'],
  ["Men's Shirt", 'mens-shirt'],
  ['茶', '茶'],
  ['%%%', 'product'],
])('%s becomes %s', (title, handle) => {
  expect(handleOf(title)).toBe(handle);
});

test('a taken handle gets its number incremented, or one appended', () => {
  const taken = new Set(['lamp', 'lamp-1', 'sku-534', 'sku-099']);
  const free = (wish: string) => freeHandle(wish, (handle) => taken.has(handle));
  expect(free('chair')).toBe('chair');
  expect(free('lamp')).toBe('lamp-2');
  expect(free('sku-534')).toBe('sku-535');
  expect(free('sku-099')).toBe('sku-100');
});
