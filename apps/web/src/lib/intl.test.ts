import { expect, test } from 'vitest';
import {
  countOf,
  formatClock,
  formatDueTime,
  formatDuration,
  formatMoment,
  formatRelativeTime,
} from './intl.ts';

test('a count has its noun', () => {
  expect(countOf(1, 'product')).toBe('1 product');
  expect(countOf(0, 'product')).toBe('0 products');
  expect(countOf(2, 'entry', 'entries')).toBe('2 entries');
});

test('a relative time uses the largest unit that fits', () => {
  const nowMs = Date.parse('2026-01-02T12:00:00Z');
  const words = (time: string) => formatRelativeTime(time, nowMs);
  const expected = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  expect(words('2026-01-02T11:59:30Z')).toBe(expected.format(0, 'second'));
  expect(words('2026-01-02T11:58:00Z')).toBe(expected.format(-2, 'minute'));
  expect(words('2026-01-02T09:00:00Z')).toBe(expected.format(-3, 'hour'));
  expect(words('2025-12-30T12:00:00Z')).toBe(expected.format(-3, 'day'));
  expect(words('2026-01-02T12:05:00Z')).toBe(expected.format(5, 'minute'));
});

test('a time has its date unless it is today', () => {
  const nowMs = new Date(2026, 0, 2, 12).getTime();
  const today = new Date(2026, 0, 2, 9, 5).toISOString();
  const yesterday = new Date(2026, 0, 1, 9, 5).toISOString();
  expect(formatMoment(today, nowMs)).toBe(formatClock(today));
  expect(formatMoment(yesterday, nowMs)).not.toBe(formatClock(yesterday));
  expect(formatMoment(yesterday, nowMs)).toContain(formatClock(yesterday));
});

test('what is due has a time until it has passed', () => {
  const nowMs = new Date(2026, 0, 2, 12).getTime();
  const later = new Date(nowMs + 1).toISOString();
  expect(formatDueTime(later, nowMs)).toBe(`at ${formatClock(later)}`);
  expect(formatDueTime(later, nowMs + 1)).toBe('in a moment');
});

test('a duration below a second is not zero', () => {
  expect(formatDuration(999)).toBe('<1s');
  expect(formatDuration(1000)).toBe('0m 1s');
  expect(formatDuration(125_000)).toBe('2m 5s');
});
