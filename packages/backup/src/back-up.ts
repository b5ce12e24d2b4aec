import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { type ReferencedObject, readBackup, recordBackup } from '@draftshelf/core/operate/backup/read-backup';
import { countOf } from '@draftshelf/domain/base/format';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { bucketExists, openObject } from '@draftshelf/object-storage/objects';
import { readVersion } from '@draftshelf/runtime/version';
import { mapInParallel } from './in-parallel.ts';
import {
  BackupError,
  formatTotalSize,
  type Manifest,
  readManifest,
  type StoredFile,
  writeManifest,
} from './manifest.ts';
import { linkFile, storeFile } from './stored-files.ts';

export type BackupContext = {
  database: OpenDatabase;
  storage: ObjectStorage;
  signal: AbortSignal;
  report: (sentence: string) => void;
};

type BackupWork = Omit<BackupContext, 'storage'> & { storage: ObjectStorage | null };

/** Copies database and objects to a new folder, which is removed on failure. Throws BackupError without any data. */
export async function backUp(directory: string, work: BackupWork): Promise<Manifest> {
  const manifest = await writeBackup(directory, work);
  if (work.storage !== null) {
    await recordBackup(work.database.db, directory).catch((error: Error) =>
      work.report(`Draftshelf could not record the backup: ${error.message}`),
    );
  }
  return manifest;
}

/** Makes a backup. If `kept` is set, also stores a checksum per table and links unchanged objects of `earlier`. */
export async function writeBackup(directory: string, work: BackupWork, kept?: { earlier: string | null }) {
  await makeFolder(directory);
  try {
    const manifest = await copyAll(directory, work, kept);
    work.signal.throwIfAborted();
    await writeManifest(directory, manifest);
    return manifest;
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

async function makeFolder(directory: string): Promise<void> {
  await mkdir(path.dirname(directory), { recursive: true });
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
    throw new BackupError(`${directory} exists already. Name a new folder for the backup.`, { cause });
  }
  await Promise.all(['tables', 'objects'].map((name) => mkdir(path.join(directory, name), { mode: 0o700 })));
}

async function copyAll(directory: string, work: BackupWork, kept: { earlier: string | null } | undefined) {
  const { database, storage, signal, report } = work;
  if (storage && !(await bucketExists(storage))) {
    throw new BackupError(`The object storage has no bucket “${storage.bucket}”. Check S3_BUCKET.`);
  }
  const takenAt = new Date().toISOString();
  report('Copying the database …');
  const files = new Map<string, StoredFile>();
  const copy = await readBackup(database, {
    withSums: kept !== undefined,
    store: async (table, rows) => {
      const name = path.join('tables', `${table}.copy.zst`);
      files.set(table, await storeFile(directory, name, rows, { isCompressed: true, signal }));
    },
  });
  if (copy.migrations.length === 0)
    throw new BackupError('The database is empty: there is nothing to back up.');
  const tables = copy.tables.flatMap((table) => {
    const file = files.get(table.name);
    return file ? [{ ...table, file }] : [];
  });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  report(
    `Copied ${countOf(rows, 'row')} of ${countOf(tables.length, 'table')} (${formatTotalSize(tables)}).`,
  );
  const { migrations, sealingKeys, sequences } = copy;
  const ofDatabase = { version: readVersion(), takenAt, migrations, sealingKeys, sequences, tables };
  if (!storage) return { ...ofDatabase, hasObjects: false, objects: [], missing: [] };
  const earlier = kept?.earlier ?? null;
  const { objects, missing } = await copyObjects(directory, copy.objects, { ...work, storage, earlier });
  return { ...ofDatabase, hasObjects: true, objects, missing };
}

async function copyObjects(
  directory: string,
  named: readonly ReferencedObject[],
  { storage, signal, report, earlier }: BackupContext & { earlier: string | null },
): Promise<Pick<Manifest, 'objects' | 'missing'>> {
  if (named.length > 0) report(`Copying ${countOf(named.length, 'file')} …`);
  const before = new Map(
    earlier === null ? [] : (await readManifest(earlier)).objects.map((object) => [object.key, object]),
  );
  const copied = await mapInParallel(named, signal, async ({ key, isMade }, at, ending) => {
    const name = path.join('objects', String(at + 1).padStart(6, '0'));
    const same = before.get(key);
    const link = async () =>
      earlier !== null && same && (await linkFile(earlier, same.file, directory, name));
    // The operator's files never change, so a link is enough. Derived files may be made again with other bytes.
    if (same && !isMade && (await link()))
      return { missing: [], objects: [{ ...same, file: { ...same.file, path: name } }] };
    const object = await openObject(storage, key);
    if (!object) return { missing: isMade ? [] : [key], objects: [] };
    const file = await storeFile(directory, name, object.stream, { isCompressed: false, signal: ending });
    if (same?.file.sha256 === file.sha256) await link();
    return { missing: [], objects: [{ key, contentType: object.contentType, file }] };
  });
  const objects = copied.flatMap((one) => one.objects);
  const missing = copied.flatMap((one) => one.missing);
  report(`Copied ${countOf(objects.length, 'file')} (${formatTotalSize(objects)}).`);
  if (missing.length > 0) {
    report(
      `The object storage lacks ${countOf(missing.length, 'file')} that the database names, the first is ${missing[0]}. Missing files are not in the backup.`,
    );
  }
  return { objects, missing };
}
