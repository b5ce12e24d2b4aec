import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askSource, type Source, testKey } from './ask-source.ts';

type Reply = { status?: number; headers?: Record<string, string>; body?: string };
let next: Reply = {};
let asked: { url: string; headers: Record<string, unknown> }[] = [];
const server = createServer((request, response) => {
  asked.push({ url: request.url ?? '', headers: request.headers });
  response.writeHead(next.status ?? 200, { 'content-type': 'application/json', ...next.headers });
  response.end(next.body ?? '{}');
});
let baseUrl = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const gtin = '00810041700100';
const windows = { perWindow: 1, windowMs: 1, perDay: 1, dayMs: 1 };
const ask = async (name: Source['name'], reply: Reply & { json?: unknown }, key: string | null = null) => {
  [next, asked] = [{ ...reply, ...(reply.json ? { body: JSON.stringify(reply.json) } : {}) }, []];
  return askSource({ name, baseUrl, key, needsKey: false, windows }, gtin, { contact: 'ops@shop.example' });
};

it('asks each source as it documents, with the code as printed', async () => {
  await ask('upcitemdb', {});
  expect(asked).toMatchObject([
    {
      url: '/prod/trial/lookup?upc=810041700100',
      headers: { 'user-agent': 'Draftshelf/1.0 (ops@shop.example)' },
    },
  ]);
  await ask('upcitemdb', {}, 'k');
  expect(asked).toMatchObject([
    { url: '/prod/v1/lookup?upc=810041700100', headers: { user_key: 'k', key_type: '3scale' } },
  ]);
  await ask('open-products-facts', {});
  expect(asked[0]?.url).toMatch(/^\/api\/v2\/product\/810041700100\.json\?fields=/);
  await ask('barcode-lookup', {}, 'a&b');
  expect(asked[0]?.url).toBe('/v3/products?barcode=810041700100&key=a%26b');
});

it('reads a hit, and what is left of the quota', async () => {
  const item = {
    title: ' Vase ',
    brand: '',
    category: 'Home > Decor > Vases',
    images: ['x', 'http://a.example/1.png'],
  };
  const reset = Math.ceil(Date.now() / 1000) + 60;
  const headers = { 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': String(reset) };
  expect(await ask('upcitemdb', { json: { code: 'OK', items: [item] }, headers })).toEqual({
    reply: {
      kind: 'hit',
      answer: {
        ...{ title: 'Vase', brand: null, description: null, category: 'Vases' },
        ...{ images: ['http://a.example/1.png'], attribution: null, picturesNeedCredit: false },
      },
    },
    left: { calls: 7, until: new Date(reset * 1000) },
  });
});

it.each<[Source['name'], kind: string, Parameters<typeof ask>[1]]>([
  ['upcitemdb', 'miss', { json: { code: 'OK', items: [] } }],
  ['upcitemdb', 'miss', { status: 404, json: { code: 'NOT_FOUND' } }],
  ['upcitemdb', 'miss', { status: 400, json: { code: 'INVALID_QUERY' } }],
  ['upcitemdb', 'quota', { status: 429, json: { code: 'TOO_FAST' } }],
  ['upcitemdb', 'quota', { json: { code: 'EXCEED_LIMIT' } }],
  ['upcitemdb', 'failure', { status: 500, json: { code: 'SERVER_ERR' } }],
  ['upcitemdb', 'failure', { body: '<html>' }],
  ['upcitemdb', 'failure', { json: { code: 'OK', items: [{ title: 5 }] } }],
  ['upcitemdb', 'failure', { status: 302, headers: { location: '/elsewhere' } }],
  ['upcitemdb', 'failure', { body: 'too long' }],
  [
    'open-products-facts',
    'hit',
    { json: { status: 1, product: { product_name: 'Vase', brands: 'A, B', categories_tags: ['en:vases'] } } },
  ],
  ['open-products-facts', 'miss', { json: { status: 0 } }],
  ['open-products-facts', 'miss', { status: 404 }],
  ['open-products-facts', 'quota', { status: 503 }],
  ['open-products-facts', 'failure', { json: { status: 'error' } }],
  ['barcode-lookup', 'hit', { json: { products: [{ title: 'Vase' }] } }],
  ['barcode-lookup', 'miss', { json: { products: [] } }],
  ['barcode-lookup', 'miss', { status: 404, body: '' }],
  ['barcode-lookup', 'failure', { status: 403 }],
  ['barcode-lookup', 'quota', { status: 429, headers: { 'retry-after': '30' } }],
])('a reply of %s is a %s: %j', async (name, kind, reply) => {
  const sent = reply.body === 'too long' ? { body: `"${'x'.repeat(600_000)}"` } : reply;
  expect((await ask(name, sent)).reply.kind).toBe(kind);
});

it('an unreachable source is a failure with its cause', async () => {
  const source = {
    name: 'upcitemdb' as const,
    baseUrl: 'http://127.0.0.1:9',
    key: null,
    needsKey: false,
    windows,
  };
  expect((await askSource(source, gtin, { contact: 'x' })).reply).toEqual({
    kind: 'failure',
    cause: 'It can’t be reached.',
  });
});

it('tests a key with one request, and tells why it is not accepted', async () => {
  const test = async (name: Source['name'], reply: Reply, at = baseUrl) => {
    [next, asked] = [reply, []];
    return testKey({ name, baseUrl: at }, 'a&b', { contact: 'ops@shop.example' });
  };
  const accepted = { accepted: true, quotaSpent: false };
  expect(await test('barcode-lookup', { body: '{}' })).toEqual(accepted);
  expect(asked.map(({ url }) => url)).toEqual(['/v3/rate-limits?key=a%26b']);
  expect(await test('upcitemdb', { body: '{"code":"OK","items":[]}' })).toEqual(accepted);
  expect(asked).toMatchObject([
    { url: '/prod/v1/lookup?upc=4002293401102', headers: { user_key: 'a&b', key_type: '3scale' } },
  ]);
  expect(await test('upcitemdb', { status: 429, body: '{"code":"EXCEED_LIMIT"}' })).toEqual({
    ...{ accepted: true, quotaSpent: true },
  });
  for (const status of [401, 403]) {
    for (const name of ['upcitemdb', 'barcode-lookup'] as const) {
      expect(await test(name, { status })).toMatchObject({ accepted: false, refused: true });
    }
  }
  expect(await test('upcitemdb', { status: 500 })).toEqual({
    ...{ accepted: false, refused: false, cause: 'It answered with status 500.' },
  });
  expect(await test('barcode-lookup', {}, 'http://127.0.0.1:9')).toEqual({
    ...{ accepted: false, refused: false, cause: 'It can’t be reached.' },
  });
  expect(await test('open-products-facts', {})).toMatchObject({ accepted: false });
});
