import { Migrator } from 'kysely/migration';
import type { OpenDatabase } from './connection/database.ts';
import * as start from './migrations/0001-start.ts';
import * as earlierState from './migrations/0002-earlier-state.ts';
import * as underWay from './migrations/0003-under-way.ts';
import * as cellsAsRead from './migrations/0004-cells-as-read.ts';
import * as editCommands from './migrations/0005-edit-commands.ts';
import * as processes from './migrations/0006-processes.ts';
import * as queuePages from './migrations/0007-queue-pages.ts';

/** Every migration by name, in the order in which they run. */
const migrations = {
  '0001-start': start,
  '0002-earlier-state': earlierState,
  '0003-under-way': underWay,
  '0004-cells-as-read': cellsAsRead,
  '0005-edit-commands': editCommands,
  '0006-processes': processes,
  '0007-queue-pages': queuePages,
};

/**
 * Brings the schema up to date; safe to call from several processes at once (Kysely takes a lock).
 * Throws when a migration fails; what succeeded before it stays.
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
