import { expect, test } from 'vitest';
import { parseStoreUrl } from './stores.ts';

test.each([
  ['my-store', 'https://my-store.myshopify.com'],
  [' My-Store.myshopify.com ', 'https://my-store.myshopify.com'],
  ['https://my-store.myshopify.com/admin/products', 'https://my-store.myshopify.com'],
  ['https://admin.shopify.com/store/my-store/products', 'https://my-store.myshopify.com'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['http://store-simulator:4000/', 'http://store-simulator:4000'],
])('%s is %s', (written, url) => {
  expect(parseStoreUrl(written, () => true)).toBe(url);
});

test.each([
  '',
  'two words',
  'https://example.com',
  'https://my-store.myshopify.com.example.com',
  'https://user:pass@my-store.myshopify.com',
  'http://my-store.myshopify.com',
  'http://10.0.0.7',
  'ftp://my-store',
])('credentials are never sent to %j', (written) => {
  expect(parseStoreUrl(written, () => true)).toBeNull();
});

test('a local address is a store only if it is allowed', () => {
  const isDemo = (origin: string) => origin === 'http://127.0.0.1:4000';
  expect(parseStoreUrl('http://127.0.0.1:4000/admin', isDemo)).toBe('http://127.0.0.1:4000');
  for (const written of [
    'http://127.0.0.1:22',
    'http://redis:6379',
    'http://localhost:4000',
    'http://[::1]:4000',
  ]) {
    expect(parseStoreUrl(written, isDemo)).toBeNull();
  }
  expect(parseStoreUrl('my-store', isDemo)).toBe('https://my-store.myshopify.com');
});
