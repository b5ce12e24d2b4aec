import { expect, it } from 'vitest';
import { sharedAnswers } from './shared-answer.ts';

/** Something that can be asked, and remembers how often it was. */
function asked<T>(answers: (() => Promise<T>)[]) {
  let times = 0;
  const ask = () => {
    const next = answers[times];
    times += 1;
    return next ? next() : Promise.reject(new Error('asked too often'));
  };
  return { ask, times: () => times };
}

const now = <T>(value: T) => Promise.resolve(value);
const forever = { msMax: 1e9, keysMax: 10 };

it('asks once for all who ask the same, also while the answer is on its way', async () => {
  const source = asked([() => now('a')]);
  const shared = sharedAnswers(source.ask, forever);
  expect(await Promise.all([shared.get('k'), shared.get('k')])).toEqual(['a', 'a']);
  expect(await shared.get('k')).toBe('a');
  expect(source.times()).toBe(1);
});

it('answers what it knows at once, without a promise', async () => {
  const shared = sharedAnswers(() => now('a'), forever);
  await shared.get('k');
  expect(shared.get('k')).toBe('a');
});

it('asks anew when its time is over', async () => {
  const source = asked([() => now('a'), () => now('b')]);
  const shared = sharedAnswers(source.ask, { msMax: 0, keysMax: 10 });
  expect([await shared.get('k'), await shared.get('k')]).toEqual(['a', 'b']);
});

it('never answers what was forgotten, not even by an answer that was on its way then', async () => {
  const slow = Promise.withResolvers<string>();
  const source = asked([() => slow.promise, () => now('after')]);
  const shared = sharedAnswers(source.ask, forever);
  const before = shared.get('k');
  shared.forget();
  const after = shared.get('k');
  slow.resolve('before');
  expect([await before, await after, await shared.get('k')]).toEqual(['before', 'after', 'after']);
});

it('forgets one key and keeps the others', async () => {
  let times = 0;
  const shared = sharedAnswers(async (key) => `${key}${++times}`, forever);
  expect([await shared.get('a'), await shared.get('b')]).toEqual(['a1', 'b2']);
  shared.forget('a');
  expect([await shared.get('a'), await shared.get('b')]).toEqual(['a3', 'b2']);
});

it('does not keep a failure', async () => {
  const source = asked([() => Promise.reject(new Error('away')), () => now('back')]);
  const shared = sharedAnswers(source.ask, forever);
  await expect(shared.get('k')).rejects.toThrow('away');
  expect(await shared.get('k')).toBe('back');
});

it('keeps no more answers than it may', async () => {
  let times = 0;
  const shared = sharedAnswers(async () => ++times, { msMax: 1e9, keysMax: 2 });
  for (const key of ['a', 'b', 'c', 'a']) await shared.get(key);
  expect(times).toBe(4);
});
