import { expect, test } from 'vitest';
import { findLastDueTime, formatBackupName, isBackupName, listExpiredBackups } from './back-up.ts';

test('a backup is due at its time of each day, also when the machine was off', () => {
  expect(findLastDueTime(new Date(2026, 10, 24, 3, 14), '03:15')).toEqual(new Date(2026, 10, 23, 3, 15));
  expect(findLastDueTime(new Date(2026, 10, 24, 3, 15), '03:15')).toEqual(new Date(2026, 10, 24, 3, 15));
  expect(findLastDueTime(new Date(2026, 10, 1, 0, 5), '23:50')).toEqual(new Date(2026, 9, 31, 23, 50));
});

test('a folder is named by the local time, and other names are not those of the keeper', () => {
  const name = formatBackupName(new Date(2026, 0, 5, 3, 7));
  expect(name).toBe('2026-01-05T0307');
  expect(isBackupName(name)).toBe(true);
  // A copy before a migration, and what people name.
  for (const other of ['2026-01-05T03-07-00-0070-row-texts', '2026-01-05', '2026-01-05T0307.old', '..']) {
    expect(isBackupName(other)).toBe(false);
  }
});

const nights = (count: number, proven = -1) =>
  Array.from({ length: count }, (_, at) => ({
    // 24 November 2026 was a Tuesday.
    takenAt: new Date(2026, 10, 24 - at, 3, 15),
    isProven: at === proven,
  }));

test('a year of nights leaves the newest, and eight Sundays', () => {
  const all = nights(365);
  const gone = new Set(listExpiredBackups(all, 14));
  const kept = all.filter((one) => !gone.has(one));
  expect(kept.slice(0, 14)).toEqual(all.slice(0, 14));
  expect(kept.filter(({ takenAt }) => takenAt.getDay() === 0)).toHaveLength(8);
  // Two of the eight Sundays are among the fourteen days.
  expect(kept).toHaveLength(20);
});

test('the newest that was proven stays, and so does the only one', () => {
  expect(listExpiredBackups(nights(1), 1)).toEqual([]);
  const all = nights(300, 299);
  expect(listExpiredBackups(all, 1)).not.toContain(all[299]);
  expect(listExpiredBackups(all, 1)).toHaveLength(300 - 1 - 8 - 1);
});
