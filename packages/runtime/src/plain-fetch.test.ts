import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainFetch } from './plain-fetch.ts';

let answer: RequestListener = () => {};
const server = createServer((request, response) => answer(request, response));
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test.each([
  ['br', brotliCompressSync('{}')],
  ['gzip', gzipSync('{}')],
  ['BR, identity', Buffer.from('{}')],
])('a reply that comes as %s unasked is refused and not unpacked', async (coding, body) => {
  const asked: unknown[] = [];
  answer = ({ headers }, response) => {
    asked.push(headers['accept-encoding']);
    response.writeHead(200, { 'content-encoding': coding }).end(body);
  };
  const packed = plainFetch(url, { redirect: 'error', headers: { 'accept-encoding': 'br' } });
  await expect(packed).rejects.toThrow(TypeError);
  await expect(packed).rejects.toMatchObject({
    message: 'The reply is packed, although it was asked not to be',
    cause: { code: 'PACKED' },
  });
  expect(asked).toEqual(['identity']);
});

test('method, headers and body arrive, and status, headers and body come back', async () => {
  answer = async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { method, headers } = request;
    response.writeHead(429, {
      'retry-after': '2',
      'content-encoding': 'identity',
      'set-cookie': ['a=1', 'b=2'],
    });
    response.end(JSON.stringify({ method, headers, body: Buffer.concat(pieces).toString() }));
  };
  const headers = { 'Content-Type': 'text/x', 'user-agent': 'Me' };
  const reply = await plainFetch(`${url}/at?a=b`, {
    method: 'POST',
    headers,
    body: 'größer',
    redirect: 'manual',
  });
  expect([reply.status, reply.ok, reply.headers.get('retry-after')]).toEqual([429, false, '2']);
  expect(reply.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await reply.json()).toMatchObject({
    method: 'POST',
    headers: { 'content-type': 'text/x', 'user-agent': 'Me', 'content-length': '8' },
    body: 'größer',
  });
});

test('a reply without a body has none', async () => {
  for (const status of [204, 304]) {
    answer = (_, response) => response.writeHead(status, { 'content-encoding': 'br' }).end();
    const reply = await plainFetch(url, { redirect: 'error' });
    expect([reply.status, reply.body]).toEqual([status, null]);
  }
});

test('a redirect is an error, or the reply itself', async () => {
  answer = (_, response) => response.writeHead(302, { location: '/other' }).end('moved');
  await expect(plainFetch(url, { redirect: 'error' })).rejects.toMatchObject({ cause: { code: 'REDIRECT' } });
  const reply = await plainFetch(url, { redirect: 'manual' });
  expect([reply.status, reply.headers.get('location'), await reply.text()]).toEqual([302, '/other', 'moved']);
});

test('a failure is a TypeError with the cause of the system', async () => {
  await expect(plainFetch('http://127.0.0.1:1', { redirect: 'error' })).rejects.toSatisfy(
    (error) => error instanceof TypeError && (error.cause as { code: string }).code === 'ECONNREFUSED',
  );
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('half', () => response.destroy());
  };
  const reply = await plainFetch(url, { redirect: 'error' });
  await expect(reply.text()).rejects.toSatisfy(
    (error) => error instanceof TypeError && (error.cause as { code: string }).code === 'ECONNRESET',
  );
});

test('an aborted signal throws its reason, before the reply and while the body is read', async () => {
  const reason = new Error('stopping');
  await expect(plainFetch(url, { redirect: 'error', signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  );
  for (const begin of [false, true]) {
    const stopping = new AbortController();
    const arrived = Promise.withResolvers<void>();
    answer = (_, response) => {
      if (begin) response.writeHead(200).write('some');
      arrived.resolve();
    };
    const fetched = plainFetch(url, { redirect: 'error', signal: stopping.signal });
    const read = begin ? fetched.then((reply) => reply.text()) : fetched;
    await (begin ? fetched : arrived.promise);
    stopping.abort(reason);
    await expect(read).rejects.toBe(reason);
  }
});

test('an unread body that is given up ends the connection', async () => {
  const closed = Promise.withResolvers<void>();
  answer = (request, response) => {
    request.socket.once('close', () => closed.resolve());
    response.write('some');
  };
  const reply = await plainFetch(url, { redirect: 'error' });
  await reply.body?.cancel();
  await closed.promise;
});
