import { expect, onTestFinished, test, vi } from 'vitest';
import { givingWay } from './giving-way.ts';

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
