import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import pg from 'pg';
import { tryLock } from '../../connection/advisory-lock.ts';
import { type Db, type OpenDatabase, withPinnedConnection } from '../../connection/database.ts';
import { queryRow, queryRows } from '../../connection/query-rows.ts';
import { migrate } from '../../migrations/migrate.ts';
import { fillEffectiveValues } from '../../review/fill-rows.ts';
import { excludedTables, formerlyExcludedTables, isOurRelation, listTables } from './copied-tables.ts';
import { applyCopySettings, copyIn } from './copy-table.ts';
import type { DatabaseCopy } from './read-backup.ts';

/** Ids skipped after a restore, so that new ids differ from ids of lost rows that a queue or an open page still has. */
const idsSkipped = 1_000_000;

/** Thrown if a backup contradicts itself or the database. The message is for operators. */
export class BackupUnfit extends Error {
  override readonly name = 'BackupUnfit';
}

/** Returns the connection's role if that role, like the role of api and workers, cannot create tables. Else null. */
export async function findRestrictedRole(db: Db): Promise<string | null> {
  const { role, creates } = await queryRow<{ role: string; creates: boolean }>(db)`
    select current_user as role, has_schema_privilege(current_schema(), 'create') as creates`;
  return creates ? null : role;
}

/**
 * Loads a backup into an empty database and applies newer migrations, in one transaction. `onLoaded` is called while
 * the tables are as in the backup. Returns the backup's unknown tables, which are not loaded. Throws BackupUnfit.
 */
export async function loadBackup(
  database: OpenDatabase,
  backup: Pick<DatabaseCopy, 'migrations' | 'tables' | 'sequences'>,
  open: (table: string) => Readable,
  onLoaded?: (trx: Db) => Promise<void>,
): Promise<string[]> {
  const unknown = await withPinnedConnection(database, ({ db, client }) =>
    db.transaction().execute(async (trx) => {
      if (!(await tryLock(trx, 'restore')))
        throw new BackupUnfit('Another restore of this database is running.');
      if ((await listTables(trx)).length > 0) throw new BackupUnfit('The database is not empty.');
      await applyCopySettings(trx);
      await migrate({ db: trx }, backup.migrations.at(-1));
      const restoreIndexes = await dropIndexes(trx);
      const others = await loadTables(trx, client, backup.tables, open);
      await onLoaded?.(trx);
      await ofBackup(restoreIndexes());
      await ofBackup(setSequences(trx, backup.sequences));
      await migrate({ db: trx });
      await afterRestore(trx);
      return others;
    }),
  );
  await fillEffectiveValues(database);
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
    // A table that Draftshelf does not have. The operator may have added it.
    if (!known.has(table.name)) {
      unknown.push(table.name);
      continue;
    }
    // Migrations insert rows that are also in the backup.
    await sql`delete from ${sql.table(table.name)}`.execute(db);
    const rows = await ofBackup(copyIn(client, table, open(table.name)), `${table.name}: `);
    if (rows !== table.rows) throw damaged(`${table.name} has ${rows} rows instead of ${table.rows}`);
    known.delete(table.name);
  }
  const [lacking] = known.difference(new Set([...Object.keys(excludedTables), ...formerlyExcludedTables]));
  if (lacking !== undefined) throw damaged(`it lacks the table ${lacking}`);
  return unknown;
}

const damaged = (what: string, cause?: unknown) =>
  new BackupUnfit(
    `The backup was changed or is damaged: ${what}. Nothing was restored; use another copy of the backup.`,
    { cause },
  );

/** Throws BackupUnfit for values that Postgres refuses and for files that cannot be decompressed. */
const ofBackup = <T>(work: Promise<T>, at = ''): Promise<T> =>
  work.catch((cause) => {
    const isDamage = (cause instanceof pg.DatabaseError ? /^(22|23|42)/ : /^(ZSTD|ERR_ZSTD)/).test(
      cause.code,
    );
    throw isDamage ? damaged(`${at}${cause.message}`, cause) : cause;
  });

async function setSequences(db: Db, sequences: Readonly<Record<string, number>>): Promise<void> {
  await sql`
    select setval(quote_ident(sequencename)::regclass, coalesce(last, 0) + ${sql.lit(idsSkipped)})
    from pg_sequences
    left join unnest(${Object.keys(sequences)}::text[], ${Object.values(sequences)}::bigint[]) as backup(name, last)
      on name = sequencename
    where schemaname = current_schema()`.execute(db);
}

/** Ends work that would otherwise never end. Calls, leases and look-ups expire; pushes search the store again. */
async function afterRestore(db: Db): Promise<void> {
  // The restore, not a failure, ended these claims, so they are not counted. The queue is empty now.
  await sql`
    update chunks set state = 'pending', publication = publication + 1, priority = null,
      claims = greatest(claims - (claim_pid is not null)::int, 0), claim_pid = null, claim_backend_start = null
    where state = 'published' or (state = 'pending' and claim_pid is not null)`.execute(db);
  await sql`
    update store_syncs set ended_at = clock_timestamp(), error = 'The sync was interrupted: a backup was restored.'
    where ended_at is null`.execute(db);
}

type Definition = { table: string; name: string; definition: string };

/** Drops indexes, so that rows load in any order and in a third of the time. Returns a function that restores them. */
async function dropIndexes(db: Db): Promise<() => Promise<void>> {
  const foreignKeys = await constraintsOf(db, ['f']);
  const keys = await constraintsOf(db, ['p', 'u']);
  const indexes = await indexesOf(db);
  for (const { table, name } of [...foreignKeys, ...keys]) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(db);
  }
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(db);
  return async () => {
    for (const { definition } of indexes) await sql.raw(definition).execute(db);
    for (const { table, name, definition } of [...keys, ...foreignKeys]) {
      const constraint = sql`${sql.ref(name)} ${sql.raw(definition)}`;
      await sql`alter table ${sql.table(table)} add constraint ${constraint}`.execute(db);
    }
  };
}

const constraintsOf = (db: Db, kinds: readonly string[]) =>
  queryRows<Definition>(db)`
    select relname as "table", conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = any(${kinds}::"char"[]) and ${isOurRelation}
    order by relname, conname`;

const indexesOf = (db: Db) =>
  queryRows<Definition>(db)`
    select relname as "table", indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indrelid
    where ${isOurRelation} and not exists (select from pg_constraint where conindid = indexrelid)
    order by relname, name`;
