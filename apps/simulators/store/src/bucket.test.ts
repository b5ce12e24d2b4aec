import { expect, test } from 'vitest';
import { createBucket } from './bucket.ts';

test('it starts full, is reduced by charges and refills at the plan’s rate', () => {
  let nowMs = 0;
  const bucket = createBucket('standard', () => nowMs);
  expect(bucket.status()).toEqual({ maximumAvailable: 2000, currentlyAvailable: 2000, restoreRate: 100 });
  bucket.charge(1995);
  expect(bucket.admits(5)).toBe(true);
  expect(bucket.admits(6)).toBe(false);
  nowMs += 10;
  expect(bucket.admits(6)).toBe(true);
  nowMs += 15_000;
  expect(bucket.status().currentlyAvailable).toBe(1506);
  nowMs += 3_600_000;
  expect(bucket.status().currentlyAvailable).toBe(2000);
});

test.each([
  ['advanced', 4000, 200],
  ['plus', 20_000, 1000],
  ['enterprise', 40_000, 2000],
] as const)('%s holds %i and restores %i', (plan, maximumAvailable, restoreRate) => {
  expect(createBucket(plan, () => 0).status()).toMatchObject({ maximumAvailable, restoreRate });
});
