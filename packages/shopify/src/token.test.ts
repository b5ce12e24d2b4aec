import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTokenSource } from './token.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
let handlersBefore: NodeJS.UnhandledRejectionListener[] = [];
beforeEach(() => {
  // vitest's own would fail the whole run, without saying which test it was.
  handlersBefore = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
});
afterEach(() => {
  process.removeAllListeners('unhandledRejection');
  for (const handler of handlersBefore) process.on('unhandledRejection', handler);
});

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

test('a caller that has left before it asks leaves no failure behind that nobody takes', async () => {
  const source = createTokenSource(
    { clientId: 'id', clientSecret: 'secret' },
    { url: 'http://127.0.0.1:9', fetch: () => Promise.reject(new TypeError('refused')), now: () => 0 },
  );
  const reason = new Error('stopping');
  await expect(source.current(AbortSignal.abort(reason))).rejects.toBe(reason);
  await turnOfTheLoop();
  await turnOfTheLoop();
  expect(unhandled).toEqual([]);
  await expect(source.current(new AbortController().signal)).rejects.toMatchObject({ reason: 'network' });
});
