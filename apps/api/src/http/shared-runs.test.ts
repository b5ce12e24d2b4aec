import { expect, it } from 'vitest';
import { sharedRuns } from './shared-runs.ts';

it('runs once for all that wait with the same key', async () => {
  const share = sharedRuns<object>();
  const slow = Promise.withResolvers<object>();
  let runs = 0;
  const work = () => {
    runs += 1;
    return slow.promise;
  };
  const waiting = [share('a', work), share('a', work), share('b', work)];
  slow.resolve({});
  const [first, second] = await Promise.all(waiting);
  expect(first).toBe(second);
  expect(runs).toBe(2);
});

it('runs again afterwards, also after a failure', async () => {
  const share = sharedRuns<string>();
  await expect(share('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await share('a', async () => 'back')).toBe('back');
  expect(await share('a', async () => 'newer')).toBe('newer');
});
