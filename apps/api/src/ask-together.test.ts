import { expect, it } from 'vitest';
import { askTogether } from './ask-together.ts';

it('asks for one id at once, and for those that come meanwhile with the next query', async () => {
  const asked: (readonly string[])[] = [];
  const first = Promise.withResolvers<ReadonlySet<string>>();
  const isKnown = askTogether((ids) => {
    asked.push(ids);
    return asked.length === 1 ? first.promise : Promise.resolve(new Set(['b']));
  });
  const a = isKnown('a');
  await expect.poll(() => asked).toEqual([['a']]);
  const later = Promise.all([isKnown('b'), isKnown('c'), isKnown('b')]);
  first.resolve(new Set(['a']));
  expect(await a).toBe(true);
  expect(await later).toEqual([true, false, true]);
  expect(asked).toEqual([['a'], ['b', 'c', 'b']]);
});

it('rejects for those who share a query that fails, and asks again for others', async () => {
  let times = 0;
  const isKnown = askTogether(async (ids) => {
    times += 1;
    if (times === 1) throw new Error('away');
    return new Set(ids);
  });
  const both = await Promise.allSettled([isKnown('a'), isKnown('b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await isKnown('a')).toBe(true);
});
