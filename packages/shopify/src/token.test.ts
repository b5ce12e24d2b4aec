import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createShopifyClient } from './client.ts';
import { createTokenSource } from './token.ts';

const unhandled: unknown[] = [];
const record = (reason: unknown) => void unhandled.push(reason);
let handlersBefore: NodeJS.UnhandledRejectionListener[] = [];
beforeEach(() => {
  // vitest's own handler would fail the whole run without naming the test.
  handlersBefore = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', record);
});
afterEach(() => {
  process.removeAllListeners('unhandledRejection');
  for (const handler of handlersBefore) process.on('unhandledRejection', handler);
});

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

test('an already aborted caller leaves no unhandled rejection', async () => {
  const source = createTokenSource(
    { clientId: 'id', clientSecret: 'secret' },
    { url: 'http://127.0.0.1:9', fetch: () => Promise.reject(new TypeError('refused')), now: () => 0 },
  );
  const reason = new Error('stopping');
  await expect(source.current(AbortSignal.abort(reason))).rejects.toBe(reason);
  await nextTick();
  await nextTick();
  expect(unhandled).toEqual([]);
  await expect(source.current(new AbortController().signal)).rejects.toMatchObject({ reason: 'network' });
});

test('a reply without an end is refused after 16 MB, of a call and of a sign-in', async () => {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  let sent = 0;
  const server = createServer((_request, response) => {
    const more = () => {
      if (sent === 400) response.end();
      else while (!response.closed && sent < 400 && response.write(piece)) sent += 1;
    };
    response.on('drain', () => {
      sent += 1;
      more();
    });
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const budget = { reserve: async (points: number) => ({ points }), report: async () => {} };
  for (const credentials of [{ accessToken: 'one' }, { clientId: 'id', clientSecret: 'secret' }]) {
    sent = 0;
    const client = createShopifyClient({ url, apiVersion: '2026-10', credentials }, { budget });
    await expect(client.request('shop', {})).rejects.toMatchObject({ code: 'REPLY_TOO_LARGE' });
    expect(sent).toBeLessThan(100);
  }
});
