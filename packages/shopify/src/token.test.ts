import { afterEach, beforeEach, expect, test } from 'vitest';
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
