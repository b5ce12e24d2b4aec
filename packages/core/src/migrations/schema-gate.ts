import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { partsOfStart } from './parts-of-start.ts';

const migrationFile = /^\d{4}-[a-z\d-]+(?=\.ts$)/;

let own: readonly string[] | undefined;

/** The migrations of this version by name, in their order. */
export function ownMigrations(): readonly string[] {
  const files = () =>
    readdirSync(new URL('./', import.meta.url)).flatMap((file) => migrationFile.exec(file) ?? []);
  own ??= [...partsOfStart, ...files()].sort();
  return own;
}

/** The migrations that the database has, by name; none before the first one. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows: found } = await sql<{ has: boolean }>`${prepared}
    select to_regclass('kysely_migration') is not null as has`.execute(db);
  if (!found[0]?.has) return [];
  const { rows } = await sql<{
    name: string;
  }>`${prepared}select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Counts the migrations of this version that a database lacks. */
export async function countMissingMigrations(db: Db): Promise<number> {
  const applied = await appliedMigrations(db);
  return ownMigrations().filter((name) => !applied.includes(name)).length;
}

/** Why a version cannot work on a schema: it is to be migrated, or another version has made it. */
export type SchemaProblem = { is: 'behind' | 'newer' | 'older'; sentence: string };

/** The oldest version whose schema this version migrates. */
export const oldestVersion = '0.11';

/** Whether the migrations are of a version that is too old for its data to be migrated. */
export const isTooOld = (applied: readonly string[]): boolean =>
  applied.length > 0 && partsOfStart.some((name) => !applied.includes(name));

/** Why this version cannot work on a schema with these migrations; undefined if it can: they are its own. */
export function schemaProblem(applied: readonly string[]): SchemaProblem | undefined {
  const known = ownMigrations();
  const newer = applied.filter((name) => !known.includes(name));
  if (newer.length > 0)
    return {
      is: 'newer',
      sentence: `A newer version has migrated this database (${newer.join(', ')}). Start that version.`,
    };
  if (isTooOld(applied))
    return {
      is: 'older',
      sentence: `This database is of a version before ${oldestVersion}, which this version cannot migrate. Nothing was changed. Start version ${oldestVersion} on it once, then this one.`,
    };
  const missing = known.filter((name) => !applied.includes(name));
  if (missing.length === 0) return undefined;
  const shown = missing.filter((name) => !partsOfStart.includes(name));
  return { is: 'behind', sentence: `Waits until the schema is migrated: ${shown.join(', ')}.` };
}
