import { expect, test } from 'vitest';
import { isCurrent } from './store-reads.ts';

const writes = { last: 7, ended: 'a', isPushing: false };
const copy = { atMs: 1_000, writes };
const later = (afterMs: number, changes: Partial<typeof writes> = {}) =>
  isCurrent(copy, { atMs: copy.atMs + afterMs, writes: { ...writes, ...changes } });

test('a copy is kept for 30 s while nothing is written', () => {
  expect([later(0), later(29_999), later(30_000)]).toEqual([true, true, false]);
  expect(later(29_999, { isPushing: true })).toBe(true);
});

test('while a push writes, it is at most 5 s old', () => {
  const pushing = { isPushing: true, last: 8 };
  expect([later(0, pushing), later(4_999, pushing), later(5_000, pushing)]).toEqual([true, true, false]);
});

test('after the last write it is read again at once, also while another push runs', () => {
  expect(later(0, { last: 8 })).toBe(false);
  expect(later(0, { last: 8, ended: 'b', isPushing: true })).toBe(false);
});
