import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { OpenDatabase } from '@draftshelf/database/connection/database';
import { appliedMigrations, ownMigrations } from '@draftshelf/database/schema-gate';
import { backUp } from './back-up.ts';

/** Copies that are kept. */
const copiesMax = 3;
/** The beginning of a copy's name. What else is in the directory is not removed. */
const copyName = /^\d{4}-\d{2}-\d{2}T/;

/**
 * Copies a database into a new folder of `directory` if migrations will be applied to its data, and removes all but the
 * newest copies. Returns the new folder; undefined: there is nothing to migrate, or no data.
 */
export async function copyBeforeMigration(
  database: OpenDatabase,
  directory: string,
): Promise<string | undefined> {
  const applied = await appliedMigrations(database.db);
  const last = applied.at(-1);
  if (last === undefined || ownMigrations().every((name) => applied.includes(name))) return undefined;
  const now = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const copy = path.join(directory, `${now}-${last}`);
  const signal = new AbortController().signal;
  await backUp(copy, { database, storage: null, signal, report: () => {} });
  const copies = (await readdir(directory)).filter((name) => copyName.test(name)).toSorted();
  for (const name of copies.slice(0, -copiesMax)) await rm(path.join(directory, name), { recursive: true });
  return copy;
}
