import { createHash, randomInt } from 'node:crypto';
import { isDatabaseUnavailable, type OpenDatabase } from '@draftshelf/core/connection/database';
import type { BackupCheck } from '@draftshelf/core/connection/schema';
import { listTables } from '@draftshelf/core/operate/backup/copied-tables';
import { checksumTable } from '@draftshelf/core/operate/backup/copy-table';
import { listReferencedObjects } from '@draftshelf/core/operate/backup/read-backup';
import { canCreateDatabases, withScratchDatabase } from '@draftshelf/core/operate/backup/scratch-database';
import type { OpenObject } from '@draftshelf/object-storage/objects';
import { BackupError, type Manifest, readManifest } from './manifest.ts';
import { checkSchemaVersion, loadTables } from './restore.ts';
import { checkFile } from './stored-files.ts';

/** Dependencies of a check, which can only read from the storage. */
type CheckWork = {
  /** A connection of the database's owner to the live database, and its address. */
  database: OpenDatabase;
  databaseUrl: string;
  openObject: (key: string) => Promise<OpenObject | null>;
  signal: AbortSignal;
};

const differencesShown = 20;
const sampledObjects = 50;
const notAllowed =
  'The role of DATABASE_URL may not create databases, so the backup was not restored: alter role … createdb.';

/** Checks a backup: verifies hashes, restores it into a scratch database, compares rows, sums and some objects. */
export async function checkBackup(directory: string, work: CheckWork): Promise<BackupCheck> {
  const startedAt = performance.now();
  const differences: string[] = [];
  const note = (error: unknown) => {
    work.signal.throwIfAborted();
    if (!(error instanceof BackupError)) throw error;
    differences.push(error.message);
  };
  const result = (manifest: Manifest | null, problem: string | null = null): BackupCheck => ({
    tables: manifest?.tables.length ?? 0,
    rows: manifest?.tables.reduce((sum, { rows }) => sum + rows, 0) ?? 0,
    objects: manifest?.objects.length ?? 0,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    differences: differences.slice(0, differencesShown),
    count: differences.length,
    problem,
  });
  const manifest = await readManifest(directory).catch(note);
  if (!manifest) return result(null);
  for (const { file } of manifest.objects) await checkFile(directory, file, work.signal).catch(note);
  const before = differences.length;
  for (const { file } of manifest.tables) await checkFile(directory, file, work.signal).catch(note);
  const isWhole = differences.length === before;
  differences.push(...(await compareStorage(manifest, work)));
  if (!isWhole) return result(manifest);
  if (!(await canCreateDatabases(work.database))) return result(manifest, notAllowed);
  differences.push(...(await restoreAndCompare(directory, manifest, work)));
  return result(manifest);
}

async function restoreAndCompare(directory: string, manifest: Manifest, work: CheckWork): Promise<string[]> {
  const { database, databaseUrl, signal } = work;
  const found: string[] = [];
  try {
    checkSchemaVersion(manifest);
    await withScratchDatabase(database, databaseUrl, (scratch) =>
      loadTables(directory, manifest, { database: scratch, signal, report: () => {} }, async (trx) => {
        for (const table of manifest.tables) {
          if (table.sum === undefined || table.sum === (await checksumTable(trx, table))) continue;
          found.push(
            `The restored rows of the table ${table.name} differ from the rows that were backed up.`,
          );
        }
      }),
    );
  } catch (error) {
    signal.throwIfAborted();
    // An unavailable server proves nothing about the backup, so the check has to be repeated.
    if (isDatabaseUnavailable(error)) throw error;
    found.push(`It cannot be restored: ${error instanceof Error ? error.message : String(error)}`);
  }
  return found;
}

async function compareStorage(manifest: Manifest, { database, openObject, signal }: CheckWork) {
  const tables = (await listTables(database.db)).map(({ name }) => name);
  const all = await listReferencedObjects(database.db, tables);
  const named = new Set(all.flatMap(({ key, isMade }) => (isMade ? [] : [key])));
  const sample = manifest.objects
    .filter(({ key }) => named.has(key))
    .map((object) => ({ object, place: randomInt(2 ** 31) }))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, sampledObjects);
  const found: string[] = [];
  for (const { object } of sample) {
    signal.throwIfAborted();
    const stored = await openObject(object.key);
    if (!stored) found.push(`The object storage lacks ${object.key}, which the backup has.`);
    else if ((await hashOf(stored.stream)) !== object.file.sha256) {
      found.push(`${object.key} in the object storage differs from its copy in the backup.`);
    }
  }
  return found;
}

async function hashOf(content: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of content) hash.update(piece);
  return hash.digest('hex');
}
