/** A time that Postgres and ISO 8601 can hold; null: there is none, or a file system told another one. */
export function storableTime(time: Date | null): Date | null {
  const year = time?.getUTCFullYear() ?? Number.NaN;
  return time && year >= 1 && year <= 9999 ? time : null;
}
