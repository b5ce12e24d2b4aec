import { expect, test } from 'vitest';
import { estimateLookupsEndMs } from './lookup-time.ts';

const minuteMs = 60_000;
const quota = { perWindow: 6, windowMs: minuteMs, dayLeft: 100, blockedUntilMs: null };
const minutes = (lookups: number, set: Partial<Parameters<typeof estimateLookupsEndMs>[1]> = {}) => {
  const readyMs = estimateLookupsEndMs(lookups, { ...quota, ...set }, 0);
  return readyMs === null ? null : readyMs / minuteMs;
};

test('look-ups take the windows of the quota', () => {
  expect(minutes(6)).toBe(0);
  expect(minutes(7)).toBe(1);
  expect(minutes(31)).toBe(5);
});

test('a source that is not asked until later begins then', () => {
  expect(minutes(31, { blockedUntilMs: 3 * minuteMs })).toBe(8);
  expect(minutes(31, { blockedUntilMs: -minuteMs })).toBe(5);
});

test('nothing is known beyond the quota of the day', () => {
  expect(minutes(100)).toBe(16);
  expect(minutes(101)).toBeNull();
  expect(minutes(1, { dayLeft: 0 })).toBeNull();
});
