import type { Db } from '@draftshelf/core/connection/database';
import { isTooOld, oldestVersion, ownMigrations } from '@draftshelf/core/migrations/schema-gate';
import { listTables } from '@draftshelf/core/operate/backup/copied-tables';
import { BackupUnfit, findRestrictedRole, loadBackup } from '@draftshelf/core/operate/backup/load-backup';
import { countOf } from '@draftshelf/domain/base/format';
import { ensureBucket } from '@draftshelf/object-storage/objects';
import { putStream } from '@draftshelf/object-storage/put-stream';
import type { BackupContext } from './back-up.ts';
import { mapInParallel } from './in-parallel.ts';
import { BackupError, formatTotalSize, type Manifest, readManifest } from './manifest.ts';
import { checkFile, streamStoredFile, streamUncompressed } from './stored-files.ts';

/** Restores a backup into an empty database. Safe to repeat. Throws BackupError. Null `sealingKeys`: no key check. */
export async function restore(
  directory: string,
  { sealingKeys, ...work }: BackupContext & { sealingKeys: readonly string[] | null },
): Promise<Manifest> {
  const manifest = await readManifest(directory);
  checkSchemaVersion(manifest);
  if (sealingKeys !== null) checkKey(manifest, sealingKeys);
  await checkRole(work);
  await checkEmpty(work);
  await checkFiles(directory, manifest, work);
  await storeObjects(directory, manifest, work);
  await loadTables(directory, manifest, work);
  return manifest;
}

/** Throws BackupError unless the backup's migrations are the first of this version's migrations. */
export function checkSchemaVersion({ migrations, version }: Manifest): void {
  if (isTooOld(migrations)) {
    throw new BackupError(
      `Version ${version} of Draftshelf made this backup, which this version cannot restore. Restore it with version ${oldestVersion}, and make a new backup with that version.`,
    );
  }
  const own = ownMigrations();
  const unknown = migrations.find((name, at) => own[at] !== name);
  if (unknown === undefined) return;
  throw new BackupError(
    `Version ${version} of Draftshelf made this backup with a database that this version does not know (${unknown}). Restore it with that version or a newer one.`,
  );
}

function checkKey({ sealingKeys: needed }: Manifest, given: readonly string[]): void {
  const missing = needed.filter((id) => !given.includes(id));
  if (missing.length === 0) return;
  throw new BackupError(
    `The credentials in this backup are sealed with another key (${missing.join(', ')}). Set CREDENTIALS_KEY to that key; npm start keeps it in secrets/credentials-key of its data directory. If it is lost, restore with --without-key and enter the credentials in Settings again.`,
  );
}

async function checkRole({ database }: BackupContext): Promise<void> {
  const role = await findRestrictedRole(database.db);
  if (role === null) return;
  throw new BackupError(
    `The role ${role} may not create tables. Set DATABASE_URL to the owner of the database, as the migration has it; in containers, use the service restore.`,
  );
}

async function checkEmpty({ database }: BackupContext): Promise<void> {
  const { length: tables } = await listTables(database.db);
  if (tables === 0) return;
  throw new BackupError(
    `The database is not empty: it has ${countOf(tables, 'table')}. A restore overwrites nothing; use a new database or a new data directory.`,
  );
}

async function checkFiles(
  directory: string,
  manifest: Manifest,
  { signal, report }: BackupContext,
): Promise<void> {
  const { tables, objects } = manifest;
  report(`Checking ${countOf(tables.length + objects.length, 'file')} of the backup …`);
  for (const { file } of [...tables, ...objects]) await checkFile(directory, file, signal);
}

async function storeObjects(
  directory: string,
  { hasObjects, objects }: Manifest,
  { storage, signal, report }: BackupContext,
): Promise<void> {
  if (!hasObjects)
    report('This is a copy of the database only: the files in the object storage stay as they are.');
  await ensureBucket(storage);
  if (objects.length > 0)
    report(`Storing ${countOf(objects.length, 'file')} (${formatTotalSize(objects)}) …`);
  await mapInParallel(objects, signal, async ({ key, contentType, file }, _, ending) => {
    await putStream(storage, key, streamStoredFile(directory, file), { contentType, signal: ending });
  });
}

/** Loads the tables. `onLoaded` is called while the tables are exactly as in the backup. */
export async function loadTables(
  directory: string,
  manifest: Manifest,
  { database, signal, report }: Omit<BackupContext, 'storage'>,
  onLoaded?: (trx: Db) => Promise<void>,
): Promise<void> {
  report(`Loading ${countOf(manifest.tables.length, 'table')} …`);
  const files = new Map(manifest.tables.map(({ name, file }) => [name, file]));
  const open = (table: string) => {
    const file = files.get(table);
    if (!file) throw new BackupError(`The backup has no file of the table ${table}.`);
    const rows = streamUncompressed(directory, file);
    signal.addEventListener('abort', () => rows.destroy(signal.reason), { once: true });
    return rows;
  };
  const unknown = await loadBackup(database, manifest, open, onLoaded).catch((cause) => {
    throw cause instanceof BackupUnfit ? new BackupError(cause.message, { cause }) : cause;
  });
  for (const name of unknown) report(`The table ${name} is not one of Draftshelf’s and was not restored.`);
}
