import { afterEach, expect, it, vi } from 'vitest';
import { memoizeByKey } from './memoize-for.ts';

/** A source of answers that counts its calls. */
function sourceOf<T>(answers: (() => Promise<T>)[]) {
  let times = 0;
  const ask = () => {
    const next = answers[times];
    times += 1;
    return next ? next() : Promise.reject(new Error('called too often'));
  };
  return { ask, times: () => times };
}

afterEach(() => vi.useRealTimers());

const now = <T>(value: T) => Promise.resolve(value);
const forever = { msMax: 1e9, keysMax: 10 };

it('asks once per key, also for concurrent callers', async () => {
  const source = sourceOf([() => now('a')]);
  const shared = memoizeByKey(source.ask, forever);
  expect(await Promise.all([shared.get('k'), shared.get('k')])).toEqual(['a', 'a']);
  expect(await shared.get('k')).toBe('a');
  expect(source.times()).toBe(1);
});

it('asks again after the time', async () => {
  const source = sourceOf([() => now('a'), () => now('b')]);
  const shared = memoizeByKey(source.ask, { msMax: 0, keysMax: 10 });
  expect([await shared.get('k'), await shared.get('k')]).toEqual(['a', 'b']);
});

it.each(['back', 'ahead'])(
  'asks again after the time, and not before it, if the clock is set %s',
  async (way) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const source = sourceOf([() => now('a'), () => now('b')]);
    const shared = memoizeByKey(source.ask, { msMax: 500, keysMax: 10 });
    expect(await shared.get('k')).toBe('a');
    vi.setSystemTime(Date.now() + (way === 'back' ? -3_600_000 : 3_600_000));
    expect(await shared.get('k')).toBe('a');
    vi.advanceTimersByTime(500);
    expect(await shared.get('k')).toBe('b');
  },
);

it('does not cache an answer that was pending during forget', async () => {
  const slow = Promise.withResolvers<string>();
  const source = sourceOf([() => slow.promise, () => now('after')]);
  const shared = memoizeByKey(source.ask, forever);
  const before = shared.get('k');
  shared.forget();
  const after = shared.get('k');
  slow.resolve('before');
  expect([await before, await after, await shared.get('k')]).toEqual(['before', 'after', 'after']);
});

it('returns a cached answer up to another age while it asks for the next one', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const slow = Promise.withResolvers<string>();
  const source = sourceOf([() => now('a'), () => slow.promise, () => now('c')]);
  const shared = memoizeByKey(source.ask, { msMax: 500, staleMsMax: 1_000, keysMax: 10 });
  expect(await shared.get('k')).toBe('a');
  vi.advanceTimersByTime(500);
  expect(await Promise.all([shared.get('k'), shared.get('k')])).toEqual(['a', 'a']);
  expect(source.times()).toBe(2);
  // Too old: who comes now waits for the call that is under way.
  vi.advanceTimersByTime(500);
  const waiting = shared.get('k');
  slow.resolve('b');
  expect(await waiting).toBe('b');
  expect(source.times()).toBe(2);
  // 'b' is as old as its call.
  const asOld = [shared.get('k'), shared.get('k')];
  expect(source.times()).toBe(3);
  expect(await Promise.all(asOld)).toEqual(['b', 'b']);
  expect(await shared.get('k')).toBe('c');
});

it('has no cached answer once the next one is rejected or fails', async () => {
  for (const next of [() => now('no'), () => Promise.reject(new Error('away'))]) {
    vi.useFakeTimers({ toFake: ['performance'] });
    const source = sourceOf([() => now('yes'), next, () => now('no')]);
    const isKept = (answer: string) => answer === 'yes';
    const shared = memoizeByKey(source.ask, { msMax: 500, staleMsMax: 5_000, keysMax: 10, isKept });
    await shared.get('k');
    vi.advanceTimersByTime(500);
    expect(await shared.get('k')).toBe('yes');
    await Promise.resolve();
    await Promise.resolve();
    expect(await shared.get('k')).toBe('no');
    vi.useRealTimers();
  }
});

it('does not cache a failure', async () => {
  const source = sourceOf([() => Promise.reject(new Error('away')), () => now('back')]);
  const shared = memoizeByKey(source.ask, forever);
  await expect(shared.get('k')).rejects.toThrow('away');
  expect(await shared.get('k')).toBe('back');
});

it('drops the oldest answers beyond the limit', async () => {
  let times = 0;
  const shared = memoizeByKey(async () => ++times, { msMax: 1e9, keysMax: 2 });
  for (const key of ['a', 'b', 'c']) await shared.get(key);
  expect([await shared.get('b'), await shared.get('c'), await shared.get('a')]).toEqual([2, 3, 4]);
});

it('does not cache rejected answers, and they do not displace others', async () => {
  let times = 0;
  const ask = async (key: string) => {
    times += 1;
    return key === 'known';
  };
  const shared = memoizeByKey(ask, { msMax: 1e9, keysMax: 2, isKept: (known) => known });
  await shared.get('known');
  for (let i = 0; i < 5; i += 1) expect(await shared.get(`unknown ${i}`)).toBe(false);
  expect(await shared.get('unknown 4')).toBe(false);
  expect(times).toBe(7);
  expect(await shared.get('known')).toBe(true);
});
