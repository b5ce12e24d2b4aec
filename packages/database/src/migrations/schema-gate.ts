import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

const migrationFile = /^\d{4}-[a-z\d-]+(?=\.ts$)/;
/** Removes or renames something that earlier versions use. */
const contract = /^\d{4}-contract-/;

let own: readonly string[] | undefined;

/** The migrations of this version by name, in their order. */
export function ownMigrations(): readonly string[] {
  own ??= readdirSync(new URL('./', import.meta.url))
    .flatMap((file) => migrationFile.exec(file) ?? [])
    .sort();
  return own;
}

/** The migrations that the database has, by name; none before the first one. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows: found } = await sql<{ has: boolean }>`
    select to_regclass('kysely_migration') is not null as has`.execute(db);
  if (!found[0]?.has) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** How many migrations of this version a database lacks. */
export async function countMissingMigrations(db: Db): Promise<number> {
  const applied = await appliedMigrations(db);
  return ownMigrations().filter((name) => !applied.includes(name)).length;
}

/**
 * Why this version cannot work on a schema, as a sentence; undefined if it can: all of its migrations are applied, and
 * no newer one has removed what it uses. Other migrations of newer versions only add.
 */
export function schemaProblem(own: readonly string[], applied: readonly string[]): string | undefined {
  const missing = own.filter((name) => !applied.includes(name));
  const removing = applied.filter((name) => !own.includes(name) && contract.test(name));
  if (removing.length > 0)
    return `A newer version has removed parts of the schema that this one uses (${removing.join(', ')}). Start that version.`;
  if (missing.length > 0) return `Waits until the schema is migrated: ${missing.join(', ')}.`;
  return undefined;
}
