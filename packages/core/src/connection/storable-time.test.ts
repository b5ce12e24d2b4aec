import { expect, test } from 'vitest';
import { toStorableTime } from './storable-time.ts';

test('times of the years 1 to 9999 are stored, others are not', () => {
  const [first, last] = [new Date('0001-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59.999Z')];
  expect([first, last].map(toStorableTime)).toEqual([first, last]);
  const outside = [new Date('0000-12-31T23:59:59Z'), new Date('+010000-01-01T00:00:00Z')];
  const none = [null, new Date(Number.NaN)];
  expect([...outside, ...none].map(toStorableTime)).toEqual([null, null, null, null]);
});
