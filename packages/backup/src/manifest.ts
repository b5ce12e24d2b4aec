import { existsSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { excludedTables } from '@draftshelf/core/operate/backup/copied-tables';
import { parseJson } from '@draftshelf/domain/base/parse-json';
import { z } from 'zod';

/** Thrown if a backup cannot be made or restored. The message has the reason and a remedy for operators. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Version of the format. It is increased when earlier versions of Draftshelf cannot read new backups. */
const format = 1;

/** Path of a file directly in one of the two folders, so that the path cannot lead out of the backup. */
const filePath = /^(tables|objects)\/[A-Za-z\d_][\w.-]*$/;
const StoredFile = z.object({ path: z.string().regex(filePath), bytes: z.int().min(0), sha256: z.string() });
export type StoredFile = z.infer<typeof StoredFile>;

/** The manifest of a backup. `sealingKeys` has only the ids of keys. */
const Manifest = z.object({
  format: z.literal(format),
  version: z.string(),
  takenAt: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  sealingKeys: z.array(z.string()),
  sequences: z.record(z.string(), z.int()),
  tables: z.array(
    z.object({
      name: z.string().refine((name) => !Object.hasOwn(excludedTables, name)),
      columns: z.array(z.string()),
      rows: z.int().min(0),
      /** Sum of a table's values. Only in backups of the keeper. */
      sum: z.string().optional(),
      file: StoredFile,
    }),
  ),
  /** False for a backup without objects. After its restore, use the storage that still has the objects. */
  hasObjects: z.boolean(),
  objects: z.array(z.object({ key: z.string(), contentType: z.string(), file: StoredFile })),
  /** Keys of objects that the database names although the storage lacks them. */
  missing: z.array(z.string()),
});
export type Manifest = Omit<z.infer<typeof Manifest>, 'format'>;

const nameOf = (directory: string) => path.join(directory, 'manifest.json');

/** Returns whether a folder is a complete backup. */
export const isCompleteBackup = (directory: string): boolean => existsSync(nameOf(directory));

/** Writes the manifest, which marks a backup as complete. The file gets its name once its bytes are on the disk. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const unfinished = `${nameOf(directory)}.unfinished`;
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify({ format, ...manifest }, null, 1)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, nameOf(directory));
}

/** Reads a manifest. Throws BackupError if the folder is no complete backup of a supported version. */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(nameOf(directory), 'utf8').catch((cause) => {
    throw new BackupError(
      `${directory} has no manifest.json, so it is not a complete backup. Name the folder of a backup that ended with “The backup is complete”.`,
      { cause },
    );
  });
  const content = parseJson(text);
  const number = z.object({ format: z.number() }).safeParse(content).data?.format;
  if (number !== undefined && number > format) {
    throw new BackupError('A newer version of Draftshelf made this backup. Restore it with that version.');
  }
  const manifest = Manifest.safeParse(content);
  if (manifest.success) return manifest.data;
  throw new BackupError(`${nameOf(directory)} was changed or is damaged. Use another copy of the backup.`, {
    cause: manifest.error,
  });
}

/** Returns the size of files as text: `12.3 MB`. */
export function formatTotalSize(stored: readonly { file: StoredFile }[]): string {
  const bytes = stored.reduce((sum, { file }) => sum + file.bytes, 0);
  const [size, unit] = bytes < 1e6 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB'];
  return `${size.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}
