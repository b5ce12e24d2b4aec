import { expect, test } from 'vitest';
import { readRetryAfterMs } from './retry-after.ts';

const now = Date.parse('Sat, 21 Nov 2026 03:00:00 GMT');

test.each([
  ['41', 41_000],
  ['2.0', 2_000],
  ['0', 0],
  ['Sat, 21 Nov 2026 03:05:15 GMT', 315_000],
  ['Sat, 21 Nov 2026 02:00:00 GMT', 0],
  ['soon', null],
  ['', null],
  ['-5', null],
  [null, null],
])('Retry-After: %s is a wait of %s ms', (header, ms) => {
  expect(readRetryAfterMs(header, now)).toBe(ms);
});

test('a date is no wait where the present is not known', () => {
  expect(readRetryAfterMs('Sat, 21 Nov 2026 03:05:15 GMT', Number.NaN)).toBeNull();
});
