import { expect, it } from 'vitest';
import { inStoreWords } from './in-store-words.ts';

it.each([
  [1, 1, 'The product is already in the store.'],
  [12, 12, 'All 12 are already in the store.'],
  [1, 5, '1 of 5 products is already in the store.'],
  [3, 5, '3 of 5 products are already in the store.'],
])('%i of %i', (inStore, total, words) => {
  expect(inStoreWords(inStore, total)).toBe(words);
});
