import { expect, it } from 'vitest';
import { createBatchedLookup } from './session.ts';

const limits = { asked: 'The list', msMax: 10_000, everyMs: 0 };

it('asks for one id at once, and for those that come meanwhile with the next query', async () => {
  const asked: (readonly string[])[] = [];
  const first = Promise.withResolvers<ReadonlySet<string>>();
  const isKnown = createBatchedLookup((ids) => {
    asked.push(ids);
    return asked.length === 1 ? first.promise : Promise.resolve(new Set(['b']));
  }, limits);
  const a = isKnown('a');
  await expect.poll(() => asked).toEqual([['a']]);
  const later = Promise.all([isKnown('b'), isKnown('c'), isKnown('b')]);
  first.resolve(new Set(['a']));
  expect(await a).toBe(true);
  expect(await later).toEqual([true, false, true]);
  expect(asked).toEqual([['a'], ['b', 'c', 'b']]);
});

it('asks together for those that come within the pause after a query', async () => {
  const asked: (readonly string[])[] = [];
  const isKnown = createBatchedLookup(
    async (ids) => {
      asked.push(ids);
      return new Set(ids);
    },
    { ...limits, everyMs: 50 },
  );
  await isKnown('a');
  const b = isKnown('b');
  await new Promise(setImmediate);
  await Promise.all([b, isKnown('c')]);
  expect(asked).toEqual([['a'], ['b', 'c']]);
});

it('rejects for those who share a query that fails, and asks again for others', async () => {
  let times = 0;
  const isKnown = createBatchedLookup(async (ids) => {
    times += 1;
    if (times === 1) throw new Error('away');
    return new Set(ids);
  }, limits);
  const both = await Promise.allSettled([isKnown('a'), isKnown('b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await isKnown('a')).toBe(true);
});

it('asks the next ones after a query that never ends', async () => {
  let times = 0;
  const isKnown = createBatchedLookup(
    (ids) => {
      times += 1;
      return times === 1 ? new Promise(() => {}) : Promise.resolve(new Set(ids));
    },
    { ...limits, msMax: 20 },
  );
  const lost = isKnown('a');
  await expect(lost).rejects.toThrow('The list did not respond within 20 ms');
  expect(await isKnown('b')).toBe(true);
});

it('asks for very many ids with one query after the other', async () => {
  let [running, most] = [0, 0];
  const isKnown = createBatchedLookup(async (ids) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return new Set(ids);
  }, limits);
  const all = await Promise.all(Array.from({ length: 2_000 }, (_, nth) => isKnown(`id ${nth}`)));
  expect([all.every(Boolean), most]).toEqual([true, 1]);
});
