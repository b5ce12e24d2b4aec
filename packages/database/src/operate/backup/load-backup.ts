import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import type pg from 'pg';
import { tryLock } from '../../connection/advisory-lock.ts';
import { type Db, type OpenDatabase, onPinnedConnection } from '../../connection/database.ts';
import { migrate } from '../../migrations/migrate.ts';
import { afterRestore } from './after-restore.ts';
import { listTables } from './copied-tables.ts';
import { useCopySettings } from './copy-settings.ts';
import { copyIn } from './copy-table.ts';
import { dropIndexes } from './drop-indexes.ts';
import type { DatabaseCopy } from './read-backup.ts';

/**
 * Ids that are skipped. Whoever has seen ids that were given out after the backup, such as a queue with its jobs or an
 * open page, must not take new ones for them.
 */
const idsSkipped = 1_000_000;

/** How many tables of the product a database has; 0: it is empty. */
export async function countTables(db: Db): Promise<number> {
  return (await listTables(db)).length;
}

/** The role of a connection if it may not create tables, as the one of api and workers; null if it may. */
export async function roleWithoutTables(db: Db): Promise<string | null> {
  const { rows } = await sql<{ role: string; creates: boolean }>`
    select current_user as role, has_schema_privilege(current_schema(), 'create') as creates`.execute(db);
  const [found] = rows;
  return found && !found.creates ? found.role : null;
}

/**
 * Loads a backup into an empty database, and applies the migrations that are newer than it. All of it is one
 * transaction: if it fails, the database is empty as before. `open` returns the rows of a table. `onLoaded` is called
 * while the tables are as in the backup.
 *
 * @returns the tables of the backup that are none of the product's; they are left out
 * @throws an error if the database is not empty, or what Postgres or a stream throws
 */
export async function loadBackup(
  database: OpenDatabase,
  backup: Pick<DatabaseCopy, 'migrations' | 'tables' | 'sequences'>,
  open: (table: string) => Readable,
  onLoaded?: (trx: Db) => Promise<void>,
): Promise<string[]> {
  const unknown = await onPinnedConnection(database, ({ db, client }) =>
    db.transaction().execute(async (trx) => {
      if (!(await tryLock(trx, 'restore'))) throw new Error('Another restore of this database is running.');
      if ((await countTables(trx)) > 0) throw new Error('The database is not empty.');
      await useCopySettings(trx);
      await migrate({ db: trx }, backup.migrations.at(-1));
      const restoreIndexes = await dropIndexes(trx);
      const others = await loadTables(trx, client, backup.tables, open);
      await onLoaded?.(trx);
      await restoreIndexes();
      await setSequences(trx, backup.sequences);
      await migrate({ db: trx });
      await afterRestore(trx);
      return others;
    }),
  );
  await sql`analyze`.execute(database.db);
  return unknown;
}

async function loadTables(
  db: Db,
  client: pg.ClientBase,
  tables: DatabaseCopy['tables'],
  open: (table: string) => Readable,
): Promise<string[]> {
  const known = new Set((await listTables(db)).map(({ name }) => name));
  const unknown: string[] = [];
  for (const table of tables) {
    // A table that somebody has added to the database himself.
    if (!known.has(table.name)) {
      unknown.push(table.name);
      continue;
    }
    // Of the rows that migrations have inserted, the backup has its own.
    await sql`delete from ${sql.table(table.name)}`.execute(db);
    const rows = await copyIn(client, table, open(table.name));
    if (rows !== table.rows) throw new Error(`${table.name} has ${rows} rows instead of ${table.rows}`);
  }
  return unknown;
}

async function setSequences(db: Db, sequences: Readonly<Record<string, number>>): Promise<void> {
  await sql`
    select setval(quote_ident(sequencename)::regclass, coalesce(last, 0) + ${sql.lit(idsSkipped)})
    from pg_sequences
    left join unnest(${Object.keys(sequences)}::text[], ${Object.values(sequences)}::bigint[]) as backup(name, last)
      on name = sequencename
    where schemaname = current_schema()`.execute(db);
}
