import { expect, it } from 'vitest';
import { readQuotaWaitMs, readWaitMs } from './wait-header.ts';

const now = Date.parse('2026-03-01T10:00:00Z');
const headers = (all: Record<string, string>) => (name: string) => all[name] ?? null;

it.each([
  ['seconds', { 'retry-after': '20' }, 20_000],
  ['milliseconds', { 'retry-after-ms': '1500' }, 1_500],
  ['a date', { 'retry-after': 'Sun, 01 Mar 2026 10:00:30 GMT' }, 30_000],
  ['a span', { 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
  ['a short span', { 'x-ratelimit-reset-tokens': '250ms' }, 1_000],
  ['a moment in seconds', { 'x-ratelimit-reset': String(now / 1000 + 7) }, 7_000],
  ['a moment in milliseconds', { 'x-ratelimit-reset': String(now + 8_000) }, 8_000],
  ['an ISO date', { 'x-ratelimit-reset': '2026-03-01T10:01:00Z' }, 60_000],
  ['Retry-After before the others', { 'retry-after': '5', 'x-ratelimit-reset-requests': '6m0s' }, 5_000],
  ['at most an hour', { 'retry-after': '999999' }, 3_600_000],
  ['at least a second', { 'retry-after': 'Sun, 01 Mar 2026 09:00:00 GMT' }, 1_000],
  ['nothing that is understood', { 'retry-after': 'soon', 'x-ratelimit-reset': '' }, null],
  ['no header', {}, null],
])('waits for %s', (_name, given, expected) => {
  expect(readWaitMs(headers(given), now)).toBe(expected);
});

it('waits after an answer only when nothing is left', () => {
  const reset = { 'x-ratelimit-reset-tokens': '3s' };
  expect(readQuotaWaitMs(headers({ ...reset, 'x-ratelimit-remaining-tokens': '12' }), now)).toBeNull();
  expect(readQuotaWaitMs(headers({ ...reset, 'x-ratelimit-remaining-tokens': '0' }), now)).toBe(3_000);
  expect(readQuotaWaitMs(headers({ 'x-ratelimit-remaining-tokens': '0' }), now)).toBeNull();
});
