import { expect, test } from 'vitest';
import { keepRounds } from './keep-rounds.ts';

/** Rounds that a test ends one by one. */
function heldRounds(everyMs: number) {
  const held: { end: PromiseWithResolvers<void>; signal: AbortSignal }[] = [];
  const errors: unknown[] = [];
  const rounds = keepRounds({
    everyMs,
    round(signal) {
      const end = Promise.withResolvers<void>();
      held.push({ end, signal });
      return end.promise;
    },
    onError: (error) => errors.push(error),
  });
  return { rounds, held, errors };
}

test('one round at a time; a wake-up during a round begins the next one when it has ended', async () => {
  const { rounds, held } = heldRounds(60_000);
  rounds.wake();
  rounds.wake();
  expect(held).toHaveLength(1);
  held[0]?.end.resolve();
  await expect.poll(() => held.length).toBe(2);
  held[1]?.end.resolve();
  const stopped = rounds.stop();
  await stopped;
  rounds.wake();
  expect(held).toHaveLength(2);
});

test('a failed round is reported, and the next one follows after the pause', async () => {
  const { rounds, held, errors } = heldRounds(1);
  held[0]?.end.reject(new Error('no database'));
  await expect.poll(() => held.length).toBe(2);
  expect(errors).toMatchObject([{ message: 'no database' }]);
  held[1]?.end.resolve();
  await rounds.stop();
});

test('stop aborts the running round, waits for its end and reports nothing of it', async () => {
  const { rounds, held, errors } = heldRounds(1);
  let isStopped = false;
  const stopped = rounds.stop().then(() => {
    isStopped = true;
  });
  expect(held[0]?.signal.aborted).toBe(true);
  await Promise.resolve();
  expect(isStopped).toBe(false);
  held[0]?.end.reject(new Error('aborted'));
  await stopped;
  expect([errors, held.length]).toEqual([[], 1]);
});
