import { expect, test } from 'vitest';
import { countDayProducts, dayWords, listPushedDays, sumHoursByDay } from './panels.tsx';

const nothing = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, undone: 0 };
const now = new Date(2026, 2, 10, 15, 30).getTime();
const at = (day: number, hour: number) => new Date(2026, 2, day, hour).toISOString();

test('sums the hours of the last 14 days by the local day', () => {
  const days = sumHoursByDay(
    [
      { ...nothing, hour: at(-4, 23), created: 99 },
      { ...nothing, hour: at(-3, 0), created: 1 },
      { ...nothing, hour: at(9, 8), created: 2, failed: 1 },
      { ...nothing, hour: at(9, 23), created: 3, skipped: 4, undone: 2 },
      { ...nothing, hour: at(9, 23), undone: 1 },
      { ...nothing, hour: at(10, 0), updated: 5, unchanged: 6 },
    ],
    now,
  );
  expect(days.map((day) => new Date(day.time).getDate())).toEqual([
    25, 26, 27, 28, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ]);
  expect(days[0]).toMatchObject({ created: 1 });
  expect(days[12]).toMatchObject({ created: 5, failed: 1, skipped: 4, undone: 3 });
  expect(days[13]).toMatchObject({ created: 0, updated: 5, unchanged: 6 });
  expect(days.map(countDayProducts).reduce((sum, count) => sum + count)).toBe(22);
});

test('says what pushes did on a day, with groups of digits', () => {
  const time = now;
  const day = { ...nothing, time, created: 1_000_000, skipped: 1 };
  expect(dayWords(day)).toBe('Tue, Mar 10: 1,000,000 created, 1 skipped');
  expect(dayWords({ ...nothing, time })).toBe('Tue, Mar 10: nothing pushed');
  const undone = { ...nothing, time, undone: 1_000 };
  expect(dayWords({ ...day, undone: 1_000 })).toBe('Tue, Mar 10: 1,000,000 created, 1 skipped, 1,000 undone');
  expect(dayWords(undone)).toBe('Tue, Mar 10: 1,000 undone');
  expect(listPushedDays([{ ...nothing, time }, day, undone])).toEqual([day, undone]);
});
