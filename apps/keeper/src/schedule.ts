/** The last moment at which a backup was due: the time `at` (03:15) of today or yesterday, by the local clock. */
export function lastDue(now: Date, at: string): Date {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const due = new Date(now);
  due.setHours(hours, minutes, 0, 0);
  if (due > now) due.setDate(due.getDate() - 1);
  return due;
}

const folderName = /^\d{4}-\d{2}-\d{2}T\d{4}$/;

/** Whether a folder has a name that the keeper gives. */
export const isKeepersName = (name: string): boolean => folderName.test(name);

/** The name of a backup that begins now: `2026-11-24T0315`, by the local clock. */
export function nameOf(now: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `${day}T${two(now.getHours())}${two(now.getMinutes())}`;
}

const sundaysKept = 8;

/**
 * The backups that are kept no longer: all but the newest `keep`, the newest of eight Sundays, and the newest that was
 * restored without a difference. `backups`: the newest first.
 */
export function notKept<Backup extends { takenAt: Date; isProven: boolean }>(
  backups: readonly Backup[],
  keep: number,
): Backup[] {
  const sundays = backups.filter(({ takenAt }) => takenAt.getDay() === 0);
  const ofDays = new Map(sundays.toReversed().map((backup) => [backup.takenAt.toDateString(), backup]));
  const kept = new Set([
    ...backups.slice(0, keep),
    ...[...ofDays.values()].toReversed().slice(0, sundaysKept),
    ...backups.filter(({ isProven }) => isProven).slice(0, 1),
  ]);
  return backups.filter((backup) => !kept.has(backup));
}
