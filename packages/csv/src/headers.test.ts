import { runInNewContext } from 'node:vm';
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

test('equal names are counted once each: with quadratic time these would take hours', () => {
  const cells = Array.from({ length: 200_000 }, (_, at) => (at % 2 === 0 ? 'Price' : `Price (${at})`));
  const headers = runInNewContext('work()', { work: () => uniqueHeaders(cells) }, { timeout: 20_000 });
  expect(headers.slice(0, 5)).toEqual(['Price', 'Price (1)', 'Price (2)', 'Price (3)', 'Price (4)']);
  expect(new Set(headers).size).toBe(cells.length);
});
