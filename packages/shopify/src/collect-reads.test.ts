import { expect, test } from 'vitest';
import { batchReads } from './collect-reads.ts';

const lengths = (requests: readonly string[][]) => requests.map((ids) => ids.length);

test('callers share a request, and get the values of their ids only', async () => {
  const requests: string[][] = [];
  const read = async (ids: readonly string[]) => {
    requests.push([...ids]);
    return new Map(ids.filter((id) => id !== 'gone').map((id) => [id, `value of ${id}`]));
  };
  const collect = batchReads(read, { idsMax: 4, waitMs: 5_000 });
  const [first, second] = await Promise.all([collect(['a', 'b']), collect(['b', 'gone'])]);
  expect([...first.keys()]).toEqual(['a', 'b']);
  expect([...second]).toEqual([['b', 'value of b']]);
  expect(lengths(requests)).toEqual([3]);
  expect(await collect([])).toEqual(new Map());
});

test('a caller does not wait when nobody else of its group will ask, nor longer than allowed', async () => {
  const read = async (ids: readonly string[]) => new Map(ids.map((id) => [id, id]));
  const alone = batchReads(read, { idsMax: 100, waitMs: 600_000, isIdle: (group) => group === 'small' });
  const shared = alone(['a'], 'large');
  expect((await alone(['b'], 'small')).size).toBe(1);
  expect((await shared).size).toBe(1);
  const brief = batchReads(read, { idsMax: 100, waitMs: 20, isIdle: () => false });
  expect((await brief(['a'])).size).toBe(1);
});

test('all callers of a failed request get its error, and the next one is tried', async () => {
  let fails = true;
  const collect = batchReads(
    async (ids: readonly string[]) => {
      if (fails) throw new Error('no answer');
      return new Map(ids.map((id) => [id, id]));
    },
    { idsMax: 2, waitMs: 5_000 },
  );
  const both = await Promise.allSettled([collect(['a']), collect(['b'])]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect((await collect(['a', 'b'])).size).toBe(2);
});
