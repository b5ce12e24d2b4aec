import { expect, test } from 'vitest';
import { isTimeZone, type ListSchedule, nextFetchAt } from './list-schedule.ts';

const next = (schedule: ListSchedule, zone: string, now: string) =>
  nextFetchAt(schedule, zone, new Date(now)).toISOString();
const daily = (at: string) => ({ every: 'day', at }) as const;

test.each<[string, ListSchedule, string, string, string]>([
  ['every hour', { every: 'hour' }, 'UTC', '2026-11-30T07:12:30Z', '2026-11-30T08:12:30.000Z'],
  ['later today', daily('07:30'), 'Europe/Berlin', '2026-11-30T06:29:00Z', '2026-11-30T06:30:00.000Z'],
  ['tomorrow', daily('07:30'), 'Europe/Berlin', '2026-11-30T06:30:00Z', '2026-12-01T06:30:00.000Z'],
  ['another date there', daily('07:30'), 'Asia/Tokyo', '2026-11-30T23:00:00Z', '2026-12-01T22:30:00.000Z'],
  [
    'half an hour of zone',
    daily('00:00'),
    'Asia/Kolkata',
    '2026-11-30T12:00:00Z',
    '2026-11-30T18:30:00.000Z',
  ],
  // Saturday 28 November.
  [
    'not at a weekend',
    { every: 'weekday', at: '07:30' },
    'UTC',
    '2026-11-27T08:00:00Z',
    '2026-11-30T07:30:00.000Z',
  ],
  // Clocks go from 02:00 to 03:00 on 29 March 2026.
  [
    'a time that is skipped',
    daily('02:30'),
    'Europe/Berlin',
    '2026-03-28T12:00:00Z',
    '2026-03-29T01:00:00.000Z',
  ],
  // And from 03:00 back to 02:00 on 25 October 2026: the first 02:30 counts, and the second brings no other one.
  [
    'a time that comes twice',
    daily('02:30'),
    'Europe/Berlin',
    '2026-10-24T12:00:00Z',
    '2026-10-25T00:30:00.000Z',
  ],
  [
    'after its first time',
    daily('02:30'),
    'Europe/Berlin',
    '2026-10-25T00:30:00Z',
    '2026-10-26T01:30:00.000Z',
  ],
])('%s', (_name, schedule, zone, now, expected) => {
  expect(next(schedule, zone, now)).toBe(expected);
});

test('a zone is one that Intl knows', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false]);
});
