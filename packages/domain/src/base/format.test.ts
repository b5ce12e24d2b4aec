import { expect, it } from 'vitest';
import { describeDuration, formatFileSize } from './format.ts';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [1_048_575, '1 MB'],
  [1_300_000, '1.24 MB'],
  [52_428_800, '50 MB'],
  [1_610_612_736, '1.5 GB'],
  [5_497_558_138_880, '5120 GB'],
])('shows %d bytes as %s', (bytes, shown) => {
  expect(formatFileSize(bytes)).toBe(shown);
});

it.each([
  [0, '0m 0s'],
  [125_000, '2m 5s'],
  [59_999, '0m 59s'],
  [3_600_000, '60m 0s'],
  [-5, '0m 0s'],
])('shows %d ms as %s', (ms, shown) => {
  expect(describeDuration(ms)).toBe(shown);
});
