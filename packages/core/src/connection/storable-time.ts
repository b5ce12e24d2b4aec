/** Returns a time that Postgres and ISO 8601 can hold, or null if the time is out of range. */
export function toStorableTime(time: Date | null): Date | null {
  const year = time?.getUTCFullYear() ?? Number.NaN;
  return time && year >= 1 && year <= 9999 ? time : null;
}
