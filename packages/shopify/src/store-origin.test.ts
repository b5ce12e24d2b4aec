import { expect, test } from 'vitest';
import { storeOrigin } from './client.ts';

test.each([
  ['https://my-store.myshopify.com/admin', 'https://my-store.myshopify.com'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['http://[::1]:4000', 'http://[::1]:4000'],
  ['http://localhost:4000', 'http://localhost:4000'],
  ['http://store-simulator:4000', 'http://store-simulator:4000'],
])('%s is a store', (url, origin) => {
  expect(storeOrigin(url)).toBe(origin);
});

test.each(['http://my-store.myshopify.com', 'http://10.0.0.7', 'http://[2001:db8::1]', 'ftp://store'])(
  '%s would send the access token unencrypted',
  (url) => {
    expect(() => storeOrigin(url)).toThrow('https://');
  },
);
