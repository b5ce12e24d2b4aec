import { formatCount, formatDay } from '../../lib/intl.ts';
import { outcomeParts, partWords, type ShownHour, someOf } from '../import/index.ts';

const outcomes = ['created', 'updated', 'unchanged', 'skipped', 'failed'] as const;

/** Push outcomes of a day in the browser's time zone. `time` is the day's noon. */
export type PushedDay = { time: number; undone: number } & Record<(typeof outcomes)[number], number>;

export const daysShown = 14;

/** Sums hours to the last 14 days, the oldest first, in the time zone of the browser. */
export function daysOf(hours: readonly ShownHour[], nowMs: number): PushedDay[] {
  const today = new Date(nowMs);
  const days = Array.from({ length: daysShown }, (_, at) => {
    // Noon: every day has one, also when clocks change.
    const noon = new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysShown + 1 + at, 12);
    return { time: noon.getTime(), created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, undone: 0 };
  });
  const byDay = new Map(days.map((day) => [new Date(day.time).toDateString(), day]));
  for (const hour of hours) {
    const day = byDay.get(new Date(hour.hour).toDateString());
    if (day !== undefined) for (const key of [...outcomes, 'undone'] as const) day[key] += hour[key];
  }
  return days;
}

/** All products of a day. */
export function totalOf(day: PushedDay): number {
  return outcomes.reduce((sum, outcome) => sum + day[outcome], 0);
}

/** The days on which a push decided any product, or was undone. */
export function pushedDays(days: readonly PushedDay[]): PushedDay[] {
  return days.filter((day) => totalOf(day) + day.undone > 0);
}

/** 'Thu, Nov 19: 1,500 created, 3 skipped, 1,500 undone'. */
export function dayWords(day: PushedDay): string {
  const undone = day.undone > 0 ? [`${formatCount(day.undone)} undone`] : [];
  const parts = [...someOf(outcomeParts(day)).map(partWords), ...undone];
  return `${formatDay(day.time)}: ${parts.join(', ') || 'nothing pushed'}`;
}
