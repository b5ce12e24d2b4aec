import { expect, test } from 'vitest';
import { isRealStore } from './configured-sources.ts';

test.each([
  ['https://my-store.myshopify.com', true],
  ['http://127.0.0.1:4000', false],
  ['http://localhost:4000', false],
  ['http://store-simulator:4000', false],
])('%s is a real store: %s', (url, isReal) => expect(isRealStore(url)).toBe(isReal));
