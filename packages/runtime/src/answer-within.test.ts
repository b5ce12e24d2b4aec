import { expect, test } from 'vitest';
import { answerWithin } from './answer-within.ts';

test('a result in time is returned, and an error is thrown', async () => {
  expect(await answerWithin(1000, 'storage', async () => 7)).toBe(7);
  await expect(answerWithin(1000, 'storage', () => Promise.reject(new Error('no bucket')))).rejects.toThrow(
    'no bucket',
  );
});

test('at the limit the signal aborts, and the error names the part', async () => {
  let aborted = false;
  const never = (signal: AbortSignal) =>
    new Promise<void>(() => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
    });
  await expect(answerWithin(10, 'storage', never)).rejects.toThrow('storage did not respond within 10 ms');
  expect(aborted).toBe(true);
});
