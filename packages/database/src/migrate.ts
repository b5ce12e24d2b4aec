import { Migrator } from 'kysely/migration';
import type { OpenDatabase } from './connection/database.ts';
import * as start from './migrations/0001-start.ts';
import * as lookups from './migrations/0008-lookups.ts';

/** Every migration by name, in the order in which they run. */
const migrations = {
  '0001-start': start,
  '0008-lookups': lookups,
};

/**
 * Brings the schema up to date; safe to call from several processes at once (Kysely takes a lock).
 * Throws when a migration fails; the ones before it stay applied.
 */
export async function migrate(database: Pick<OpenDatabase, 'db'>): Promise<string[]> {
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: async () => migrations },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}
