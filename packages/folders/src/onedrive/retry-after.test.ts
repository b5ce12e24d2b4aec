import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const date = 'Sat, 21 Nov 2026 03:00:00 GMT';

test.each([
  ['41', 41_000],
  ['0', 1_000],
  ['99999', 3_600_000],
  ['Sat, 21 Nov 2026 03:05:15 GMT', 315_000],
  ['Sat, 21 Nov 2026 02:00:00 GMT', 1_000],
  ['Sun, 22 Nov 2026 03:00:00 GMT', 3_600_000],
  ['soon', null],
  ['', null],
  ['-5', null],
])('Retry-After: %s is a pause of %s ms', (value, ms) => {
  expect(retryAfterMs(new Headers({ date, 'retry-after': value }))).toBe(ms);
});

test('without a header, and for a date without the date of the answer, there is no pause', () => {
  expect(retryAfterMs(new Headers({ date }))).toBeNull();
  expect(retryAfterMs(new Headers({ 'retry-after': 'Sat, 21 Nov 2026 03:05:15 GMT' }))).toBeNull();
});
