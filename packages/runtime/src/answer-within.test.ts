import { expect, test } from 'vitest';
import { callWithTimeout, rejectOnAbort } from './answer-within.ts';

test('a result in time is returned, and an error is thrown', async () => {
  expect(await callWithTimeout(1000, 'storage', async () => 7)).toBe(7);
  await expect(
    callWithTimeout(1000, 'storage', () => Promise.reject(new Error('no bucket'))),
  ).rejects.toThrow('no bucket');
});

test('at the limit the signal aborts, and the error names the part', async () => {
  let aborted = false;
  const never = (signal: AbortSignal) =>
    new Promise<void>(() => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
    });
  await expect(callWithTimeout(10, 'storage', never)).rejects.toThrow('storage did not respond within 10 ms');
  expect(aborted).toBe(true);
});

test('the wait ends with the work, or with the reason of an abort, before or during it', async () => {
  const abort = new AbortController();
  await expect(rejectOnAbort(Promise.resolve('done'), abort.signal)).resolves.toBe('done');
  await expect(rejectOnAbort(Promise.reject(new Error('failed')), abort.signal)).rejects.toThrow('failed');
  const late = Promise.withResolvers<string>();
  const waiting = rejectOnAbort(late.promise, abort.signal);
  abort.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  await expect(rejectOnAbort(late.promise, abort.signal)).rejects.toThrow('stopped');
  // Nobody waits for it any more, so this must not count as unhandled.
  late.reject(new Error('too late'));
});
