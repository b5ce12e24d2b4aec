import { expect, test } from 'vitest';
import { answerWithin } from './health.ts';

test('an answer in time is passed on, and so is an error', async () => {
  expect(await answerWithin(1000, 'storage', async () => 7)).toBe(7);
  await expect(answerWithin(1000, 'storage', () => Promise.reject(new Error('no bucket')))).rejects.toThrow(
    'no bucket',
  );
});

test('at the limit the asker is told, and the error names who did not answer', async () => {
  let told = false;
  const never = (signal: AbortSignal) =>
    new Promise<void>(() => {
      signal.addEventListener('abort', () => {
        told = true;
      });
    });
  await expect(answerWithin(10, 'storage', never)).rejects.toThrow('storage did not answer within 10 ms');
  expect(told).toBe(true);
});
