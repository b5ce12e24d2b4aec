import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type BackupContext, writeBackup } from '@draftshelf/backup/back-up';
import { BackupError, isCompleteBackup, readManifest } from '@draftshelf/backup/manifest';
import type { Db } from '@draftshelf/core/connection/database';
import * as stored from '@draftshelf/core/operate/backup/kept-backups';
import type { TaskProgress } from '@draftshelf/core/work/tasks';

export type KeeperContext = BackupContext & {
  /** The folder of all backups. Only this installation may use it. */
  directory: string;
  /** Local time of day of backups: `03:15`. */
  at: string;
  keep: number;
  /** Locks the keeper's task until the transaction `trx` ends. */
  lock: (trx: Db) => Promise<void>;
  now?: Date;
};

/** Longest wait of a backup for imports that are being read. */
const waitMsMax = 2 * 60 * 60 * 1000;
/** A backup needs this many times the disk space of the last backup's tables. New stored files are not counted. */
const freeFactor = 1.2;

/** Makes a backup if one is due and removes old backups. Throws BackupError and errors of services. */
export async function backUpIfDue(work: KeeperContext): Promise<TaskProgress> {
  const { directory, at, keep, lock, database, now = new Date() } = work;
  const { db } = database;
  const due = findLastDueTime(now, at);
  const kept = await listPresentBackups(db, directory);
  const newest = kept[0];
  if (newest && newest.takenAt >= due && newest.takenAt <= now) return 'done';
  const { hasImports, isReading } = await stored.readImportActivity(db, due);
  if (!newest && !hasImports) return 'done';
  if (isReading && now.getTime() - due.getTime() < waitMsMax) {
    return { waitFor: 'Waits until the imports are read, for up to two hours.' };
  }
  await removeUnfinished(directory);
  await checkSpace(directory, newest?.directory);
  const folder = path.join(directory, formatBackupName(now));
  // Files of a backup in which a check found differences are not reused, because they may be damaged.
  const earlier = newest && (newest.check?.count ?? 0) === 0 ? newest.directory : null;
  const manifest = await writeBackup(folder, work, { earlier }).catch((error) =>
    throwExplained(error, directory),
  );
  const bytes = [...manifest.tables, ...manifest.objects].reduce((sum, { file }) => sum + file.bytes, 0);
  try {
    await db.transaction().execute(async (trx) => {
      await lock(trx);
      await stored.recordKeptBackup(trx, folder, bytes);
    });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  await removeOld(db, directory, keep);
  return 'done';
}

/** Throws a sentence for operators if the disk is full, else the error. The unfinished backup is already removed. */
function throwExplained(error: unknown, directory: string): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
  throw new BackupError(`The disk of ${directory} is full. Earlier backups are kept.`, { cause: error });
}

/** Lists the keeper's backups in its folder, newest first, and marks missing backups as removed. */
export async function listPresentBackups(db: Db, directory: string): Promise<stored.KeptBackup[]> {
  const there: stored.KeptBackup[] = [];
  for (const backup of await stored.listKeptBackups(db)) {
    if (path.dirname(backup.directory) === directory && isCompleteBackup(backup.directory))
      there.push(backup);
    else await stored.markBackupRemoved(db, backup.directory);
  }
  return there;
}

async function removeOld(db: Db, directory: string, keep: number): Promise<void> {
  const all = (await listPresentBackups(db, directory)).map((backup) => ({
    ...backup,
    isProven: backup.check?.count === 0 && backup.check.problem === null,
  }));
  for (const { directory: folder } of listExpiredBackups(all, keep)) {
    if (!isBackupName(path.basename(folder))) continue;
    await rm(folder, { recursive: true, force: true });
    await stored.markBackupRemoved(db, folder);
  }
}

/** Removes unfinished backups, which have no manifest. */
async function removeUnfinished(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw new BackupError(`${directory} cannot be made or entered (${cause.code}). Check BACKUP_DIR.`, {
      cause,
    });
  });
  for (const name of await readdir(directory)) {
    const folder = path.join(directory, name);
    if (isBackupName(name) && !isCompleteBackup(folder)) await rm(folder, { recursive: true, force: true });
  }
}

async function checkSpace(directory: string, newest: string | undefined): Promise<void> {
  const disk = await statfs(directory);
  const free = disk.bavail * disk.bsize;
  const { tables } = newest === undefined ? { tables: [] } : await readManifest(newest);
  const needed = freeFactor * tables.reduce((sum, { file }) => sum + file.bytes, 0);
  if (free >= needed) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6).toLocaleString('en-US')} MB`;
  throw new BackupError(
    `The disk of ${directory} has ${megabytes(free)} left, and a backup needs ${megabytes(needed)}. Earlier backups are kept.`,
  );
}

/** Returns the last time at which a backup was due, by the local clock: today or yesterday `at` (`03:15`). */
export function findLastDueTime(now: Date, at: string): Date {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const due = new Date(now);
  due.setHours(hours, minutes, 0, 0);
  if (due > now) due.setDate(due.getDate() - 1);
  return due;
}

/** Returns whether a folder's name has the form of the keeper's backups. */
export const isBackupName = (name: string): boolean => /^\d{4}-\d{2}-\d{2}T\d{4}$/.test(name);

/** Returns the name of a backup that begins now, by the local clock: `2026-11-24T0315`. */
export function formatBackupName(now: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `${day}T${two(now.getHours())}${two(now.getMinutes())}`;
}

const sundaysKept = 8;

/** Returns the backups to remove. Keeps the `keep` newest, those of the last eight Sundays and the last proven one. */
export function listExpiredBackups<Backup extends { takenAt: Date; isProven: boolean }>(
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
