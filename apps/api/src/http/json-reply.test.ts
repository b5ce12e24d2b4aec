import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import Fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { compressors, createJsonReplies } from './json-reply.ts';

const large = Array.from({ length: 100 }, (_, number) => ({
  number,
  filename: `delivery ${number}.csv – Größe`,
}));
const small = [{ filename: 'delivery.csv' }];

let app = Fastify();
afterEach(() => app.close());

/** An api that sends the same body to every request and counts compressions. */
function serving(body: object) {
  app = Fastify();
  let times = 0;
  const counted = (compress: (text: string) => Promise<Buffer>) => (text: string) => {
    times += 1;
    return compress(text);
  };
  const replies = createJsonReplies({
    br: counted(compressors.br),
    gzip: counted(compressors.gzip),
  });
  app.get('/', async (request, reply) => replies.prepare(request, reply, body));
  const ask = (acceptEncoding?: string) =>
    app.inject({
      url: '/',
      headers: acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding },
    });
  return { ask, times: () => times };
}

test.each([
  ['gzip, deflate, br, zstd', 'br', promisify(brotliDecompress)],
  ['gzip, deflate', 'gzip', promisify(gunzip)],
  ['br;q=0, gzip;q=0.5', 'gzip', promisify(gunzip)],
] as const)('for accept-encoding %s a large body is sent as %s', async (accepted, encoding, decompress) => {
  const answer = await serving(large).ask(accepted);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-encoding': encoding,
    'content-length': String(answer.rawPayload.length),
    vary: 'accept-encoding',
  });
  expect(answer.rawPayload.length).toBeLessThan(JSON.stringify(large).length / 4);
  expect(JSON.parse(String(await decompress(answer.rawPayload)))).toEqual(large);
});

test.each([undefined, '', 'identity', 'zstd', 'br;q=0'])(
  'for accept-encoding %s a large body is not compressed',
  async (accepted) => {
    const answer = await serving(large).ask(accepted);
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      vary: 'accept-encoding',
    });
    expect(answer.json()).toEqual(large);
  },
);

test('a small body is never compressed', async () => {
  const { ask, times } = serving(small);
  const answer = await ask('br');
  expect(answer.headers).not.toHaveProperty('content-encoding');
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.json()).toEqual(small);
  expect(times()).toBe(0);
});

test('the same body is compressed once per encoding, also for concurrent requests', async () => {
  const { ask, times } = serving(large);
  await Promise.all([ask('br'), ask('br'), ask('br')]);
  await ask('br');
  expect(times()).toBe(1);
  await Promise.all([ask('gzip'), ask('gzip')]);
  expect(times()).toBe(2);
});
