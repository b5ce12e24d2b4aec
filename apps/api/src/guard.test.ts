import { expect, test } from 'vitest';
import { isOwnOrigin } from './guard.ts';

test.each([
  [undefined, 'shop.example', true],
  ['https://shop.example', 'shop.example', true],
  ['http://127.0.0.1:3000', '127.0.0.1:3000', true],
  ['https://public.example', 'inner:3000', true],
  ['http://127.0.0.1:3001', '127.0.0.1:3000', false],
  ['https://shop.example.evil', 'shop.example', false],
  ['null', 'shop.example', false],
  ['', 'shop.example', false],
  ['file://', 'shop.example', false],
  ['https://shop.example', undefined, false],
])('origin %s, host %s', (origin, host, own) => {
  expect(isOwnOrigin({ origin, host }, 'public.example')).toBe(own);
});
