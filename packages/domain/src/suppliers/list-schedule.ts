/** When a list is fetched. `at`: a time of the day like '07:30', in the operator's zone. */
export type ListSchedule = { every: 'hour' } | { every: 'day' | 'weekday'; at: string };

/** Whether `Intl` knows a time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}
