import { expect, it } from 'vitest';
import { compareOpenProposals } from './proposals-api.ts';

it('tells new proposals by their number and by the highest id', () => {
  const compare = (before: [number, number | null], now: [number, number | null]) =>
    compareOpenProposals({ count: before[0], newest: before[1] }, { count: now[0], newest: now[1] });
  expect(compare([0, null], [2, 7])).toEqual({ seen: { count: 2, newest: 7 }, isNew: true });
  // A rule has replaced one by another value.
  expect(compare([2, 7], [2, 8]).isNew).toBe(true);
  // Fewer of them, with new ones among them.
  expect(compare([9, 9], [3, 12]).isNew).toBe(true);
  // The newest one was decided; then that was undone.
  const decided = compare([2, 8], [1, 7]);
  expect(decided).toEqual({ seen: { count: 1, newest: 8 }, isNew: false });
  expect(compareOpenProposals(decided.seen, { count: 2, newest: 8 }).isNew).toBe(true);
  expect(compare([2, 8], [0, null]).isNew).toBe(false);
});
