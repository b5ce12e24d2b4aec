import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limitBodyTime } from './body-time.ts';

let app: FastifyInstance;
beforeEach(() => {
  app = Fastify();
});
afterEach(() => app.close());

/** Begins a request whose body is incomplete. */
async function begin(path: string) {
  const socket = net.connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const answer = { text: '' };
  socket.on('data', (piece) => {
    answer.text += piece;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n`;
  socket.write(`${head}{`);
  return { socket, closed, answer };
}

it('ends slow bodies, also of refused requests, and gives extended ones more time', async () => {
  const bodies = limitBodyTime(app, { bodyMsMax: 100, longBodyMsMax: 60_000 });
  app.addHook('onRequest', async (request, reply) => {
    if (request.url === '/refused') return reply.code(401).send({});
    if (request.url === '/upload') bodies.extend(request);
  });
  const served: string[] = [];
  for (const path of ['/plain', '/refused', '/upload']) {
    app.post(path, async () => {
      served.push(path);
      return {};
    });
  }
  await app.listen({ port: 0, host: '127.0.0.1' });
  const upload = await begin('/upload');
  const plain = await begin('/plain');
  const refused = await begin('/refused');
  await Promise.all([plain.closed, refused.closed]);
  expect(refused.answer.text).toMatch(/^HTTP\/1.1 401/);
  upload.socket.end('}');
  await upload.closed;
  expect(upload.answer.text).toMatch(/^HTTP\/1.1 200/);
  expect(served).toEqual(['/upload']);
});

it('does not count the time of a check that the request waits for, and ends a slow body after it', async () => {
  const bodies = limitBodyTime(app, { bodyMsMax: 100, longBodyMsMax: 60_000 });
  const waits = Promise.withResolvers<void>();
  const other = Promise.withResolvers<void>();
  app.addHook('onRequest', async (request) => {
    if (request.url !== '/checked') return;
    bodies.hold(request, waits.promise);
    await waits.promise;
  });
  for (const path of ['/checked', '/plain']) app.post(path, async () => ({}));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const checked = await begin('/checked');
  const slow = await begin('/plain');
  slow.socket.once('close', other.resolve);
  // It began later, and its time is over.
  await other.promise;
  waits.reject(Object.assign(new Error('Postgres stands still'), { statusCode: 503 }));
  await checked.closed;
  expect(checked.answer.text).toMatch(/^HTTP\/1.1 503/);
});
