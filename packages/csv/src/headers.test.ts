import { expect, test } from 'vitest';
import { uniqueHeaders } from './headers.ts';

test.each([
  [
    [' SKU ', 'Price'],
    ['SKU', 'Price'],
  ],
  [
    ['Price', 'Price', 'Price'],
    ['Price', 'Price (2)', 'Price (3)'],
  ],
  [
    ['', 'a', ' '],
    ['Column 1', 'a', 'Column 3'],
  ],
  [
    ['a', 'a', 'a (2)'],
    ['a', 'a (3)', 'a (2)'],
  ],
  [
    ['Column 2', ''],
    ['Column 2', 'Column 2 (2)'],
  ],
  [
    ['price', 'Price'],
    ['price', 'Price'],
  ],
])('%j become %j', (cells, headers) => {
  expect(uniqueHeaders(cells)).toEqual(headers);
});
