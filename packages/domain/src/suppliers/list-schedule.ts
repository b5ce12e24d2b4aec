/** When a list is fetched. `at`: a time of the day like '07:30', in the operator's zone. */
export type ListSchedule = { every: 'hour' } | { every: 'day' | 'weekday'; at: string };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Clocks are set forward by at most this much. */
const skippedMinutesMax = 180;

/**
 * Returns the next time of a schedule after `now`. A time that the clock skips is the next one that exists, and of one
 * that it has twice only the first counts.
 */
export function nextFetchAt(schedule: ListSchedule, zone: string, now: Date): Date {
  if (schedule.every === 'hour') return new Date(now.getTime() + hourMs);
  const [hour = 0, minute = 0] = schedule.at.split(':').map(Number);
  const today = wallTime(now, zone);
  for (let days = 0; ; days += 1) {
    // Noon of no zone: only its date counts.
    const date = new Date(Date.UTC(today.year, today.month - 1, today.day + days));
    const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
    if (schedule.every === 'weekday' && isWeekend) continue;
    const at = instantOf(date.getTime() + hour * hourMs + minute * minuteMs, zone);
    if (at > now) return at;
  }
}

/** Whether `Intl` knows a time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The first instant at which clocks in a zone show a time, given as if it were UTC. */
function instantOf(wanted: number, zone: string): Date {
  for (let skipped = 0; skipped <= skippedMinutesMax; skipped += 1) {
    const shown = wanted + skipped * minuteMs;
    // The offset changes at most once within a day.
    const found = [-24, 24]
      .map((hours) => shown - offsetMs(new Date(shown + hours * hourMs), zone))
      .filter((instant) => instant + offsetMs(new Date(instant), zone) === shown);
    if (found.length > 0) return new Date(Math.min(...found));
  }
  throw new Error(`No time of ${zone} was found`);
}

function offsetMs(instant: Date, zone: string): number {
  const { year, month, day, hour, minute } = wallTime(instant, zone);
  const shown = Date.UTC(year, month - 1, day, hour, minute);
  return shown - Math.floor(instant.getTime() / minuteMs) * minuteMs;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const options = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  } as const;
  const format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone, hourCycle: 'h23' });
  formats.set(zone, format);
  return format;
}

type WallTime = Record<'year' | 'month' | 'day' | 'hour' | 'minute', number>;

function wallTime(instant: Date, zone: string): WallTime {
  const parts = formatOf(zone).formatToParts(instant);
  const of = (type: keyof WallTime) => Number(parts.find((part) => part.type === type)?.value);
  return { year: of('year'), month: of('month'), day: of('day'), hour: of('hour'), minute: of('minute') };
}
