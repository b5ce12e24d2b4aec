import { expect, onTestFinished, test, vi } from 'vitest';
import { givingWay, inSteps } from './giving-way.ts';

test('work gives way every 50 ms, and then says whether it is to stop', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const stopping = new AbortController();
  const giveWay = givingWay(stopping.signal);
  let turns = 0;
  setImmediate(() => {
    turns += 1;
    stopping.abort();
  });
  expect(await giveWay()).toBe(true);
  expect(turns).toBe(0);
  vi.advanceTimersByTime(50);
  expect(await giveWay()).toBe(false);
  expect(turns).toBe(1);
});

test('work in steps gives way after each of them, and ends when it is to stop', async () => {
  let begun = 0;
  function* steps(): Generator<undefined, string> {
    for (let step = 0; step < 3; step += 1) {
      begun += 1;
      yield;
    }
    return 'result';
  }
  expect(await inSteps(steps(), async () => true)).toEqual({ value: 'result' });
  expect(await inSteps(steps(), async () => false)).toBeNull();
  expect(begun).toBe(4);
});
