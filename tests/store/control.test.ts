import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessToken, startStore, type TestStore } from './start-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.stop());

/** Sends a request as any program can, also with another Host; returns the status. */
async function ask(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Promise<number> {
  const answered = Promise.withResolvers<number>();
  const request = http.request(`${store.url}${path}`, { method, headers }, (response) => {
    response.resume();
    answered.resolve(response.statusCode ?? 0);
  });
  request.on('error', answered.reject);
  request.end(body);
  return answered.promise;
}

const token = { 'x-shopify-access-token': accessToken };
const json = { 'content-type': 'application/json' };
const fault = JSON.stringify({ kind: 'throttled', times: 1 });
const calls = [
  ['GET', '/__products'],
  ['GET', '/__staged'],
  ['GET', '/__stats'],
  ['POST', '/__faults'],
  ['DELETE', '/__faults'],
  ['POST', '/__edit/1'],
] as const;

test.each(calls)('%s %s needs the token', async (method, path) => {
  expect(await ask(method, path, json, method === 'POST' ? fault : '')).toBe(401);
  const wrong = { ...json, 'x-shopify-access-token': 'guessed' };
  expect(await ask(method, path, wrong, method === 'POST' ? fault : '')).toBe(401);
});

test.each(calls)('%s %s is for loopback names only, which no website can use', async (method, path) => {
  for (const host of ['evil.example', 'localhost.evil.example:4000', '127.0.0.1.evil.example']) {
    const headers = { ...token, ...json, host };
    expect(await ask(method, path, headers, method === 'POST' ? fault : '')).toBe(403);
  }
});

test('a body of a type that any page can send is refused', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/plain; application/json']) {
    expect(await ask('POST', '/__faults', { ...token, 'content-type': type }, fault)).toBe(415);
  }
});

test('with the token and a loopback name they answer; pages are public', async () => {
  const port = new URL(store.url).port;
  for (const host of ['localhost', `127.0.0.1:${port}`, `[::1]:${port}`]) {
    expect(await ask('GET', '/__stats', { ...token, host })).toBe(200);
  }
  expect(await ask('GET', '/admin/products', { host: 'store-simulator:4000' })).toBe(200);
});
