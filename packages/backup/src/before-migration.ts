import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { appliedMigrations, ownMigrations } from '@draftshelf/core/migrations/schema-gate';
import { backUp } from './back-up.ts';
import { isCompleteBackup } from './manifest.ts';

const copiesMax = 3;
/** Name of a copy. Files with other names are never removed. */
const copyName = /^\d{4}-\d{2}-\d{2}T[\d-]{8}-(?<last>.+)$/;

/** Copies a database with data before migrations change it. Keeps the newest copy of each of the last three schemas. */
export async function backUpBeforeMigration(database: OpenDatabase, directory: string) {
  const applied = await appliedMigrations(database.db);
  const last = applied.at(-1);
  if (last === undefined || ownMigrations().every((name) => applied.includes(name))) return undefined;
  const now = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const copy = path.join(directory, `${now}-${last}`);
  const signal = new AbortController().signal;
  await backUp(copy, { database, storage: null, signal, report: () => {} });
  await removeOld(directory);
  return copy;
}

async function removeOld(directory: string): Promise<void> {
  const kept = new Set<string>();
  for (const name of (await readdir(directory)).toSorted().reverse()) {
    const last = copyName.exec(name)?.groups?.last;
    if (last === undefined) continue;
    const folder = path.join(directory, name);
    if (isCompleteBackup(folder) && !kept.has(last) && kept.size < copiesMax) kept.add(last);
    else await rm(folder, { recursive: true });
  }
}
