import { expect, test } from 'vitest';
import { draftsAdminUrl, parseStoreOrigin } from './client.ts';

test.each([
  ['https://my-store.myshopify.com/admin', 'https://my-store.myshopify.com'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['http://[::1]:4000', 'http://[::1]:4000'],
  ['http://localhost:4000', 'http://localhost:4000'],
  ['http://store-simulator:4000', 'http://store-simulator:4000'],
])('%s is a store', (url, origin) => {
  expect(parseStoreOrigin(url)).toBe(origin);
});

test.each(['http://my-store.myshopify.com', 'http://10.0.0.7', 'http://[2001:db8::1]', 'ftp://store'])(
  '%s would send the access token unencrypted',
  (url) => {
    expect(() => parseStoreOrigin(url)).toThrow('https://');
  },
);

test('drafts are listed by the time of their creation, a minute more on both sides', () => {
  const [from, to] = [new Date('2026-11-30T10:00:00Z'), new Date('2026-11-30T10:02:30Z')];
  const url = new URL(draftsAdminUrl('https://my-store.myshopify.com', from, to));
  expect(url.origin + url.pathname).toBe('https://my-store.myshopify.com/admin/products');
  expect(url.searchParams.get('query')).toBe(
    "status:draft created_at:>='2026-11-30T09:59:00.000Z' created_at:<='2026-11-30T10:03:30.000Z'",
  );
});
