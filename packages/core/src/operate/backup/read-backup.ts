import type { Readable } from 'node:stream';
import { objectKeysOf, type ScannedText } from '@draftshelf/csv/object-keys';
import { photoIdAt, photoKey } from '@draftshelf/domain/base/photo-address';
import { sql } from 'kysely';
import { type Db, type OpenDatabase, withPinnedConnection } from '../../connection/database.ts';
import { hasRows, queryRows, queryValues } from '../../connection/query-rows.ts';
import { appliedMigrations } from '../../migrations/schema-gate.ts';
import { type CopiedTable, listCopiedTables } from './copied-tables.ts';
import { applyCopySettings, checksumTable, copyOut } from './copy-table.ts';

/** A stored object whose key is in the database. `isMade`: a re-read would derive the object from a file again. */
export type ReferencedObject = { key: string; isMade: boolean };

export type DatabaseCopy = {
  migrations: string[];
  tables: (CopiedTable & { rows: number; sum?: string | undefined })[];
  sequences: Record<string, number>;
  /** Ids of the keys with which the current credentials are sealed. */
  sealingKeys: string[];
  objects: ReferencedObject[];
};

/** Copies all tables in one snapshot while other processes write. Only migrations and other backups have to wait. */
export async function readBackup(
  database: OpenDatabase,
  { withSums, store }: { withSums: boolean; store: (table: string, rows: Readable) => Promise<void> },
): Promise<DatabaseCopy> {
  let notStored: unknown;
  const known = await listCopiedTables(database.db);
  const copy = withPinnedConnection(database, ({ db, client }) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        await lockAgainstMigrations(trx, known);
        await applyCopySettings(trx);
        const migrations = await appliedMigrations(trx);
        const tables: DatabaseCopy['tables'] = [];
        for (const table of migrations.length > 0 ? await listCopiedTables(trx) : []) {
          const rows = await copyOut(client, table, (stream) =>
            store(table.name, stream).catch((error) => {
              notStored = error;
              throw error;
            }),
          );
          tables.push({ ...table, rows, ...(withSums ? { sum: await checksumTable(trx, table) } : {}) });
        }
        if (tables.length === 0) {
          return { migrations, tables, sequences: {}, sealingKeys: [], objects: [] };
        }
        return {
          migrations,
          tables,
          // Sequences are not part of the snapshot. They are read last, so that none is behind the rows.
          sequences: await readSequences(trx),
          sealingKeys: await readSealingKeys(trx),
          objects: await listReferencedObjects(
            trx,
            tables.map(({ name }) => name),
          ),
        };
      }),
  );
  return copy.catch((error) => {
    // The transaction would only report a closed connection, so the error of `store` is thrown instead.
    throw notStored ?? error;
  });
}

/** Maximum wait for locks. A process that is stopping waits for the locks, too. */
const lockMsMax = 10_000;

/** Locks the tables. Call it before the first query: tables rewritten by a later migration would look empty. */
async function lockAgainstMigrations(db: Db, tables: readonly CopiedTable[]): Promise<void> {
  if (tables.length === 0) return;
  await sql`set local lock_timeout = ${sql.lit(lockMsMax)}`.execute(db);
  const names = sql.join(tables.map(({ name }) => sql.table(name)));
  await sql`lock table ${names} in access share mode`.execute(db);
}

async function readSequences(db: Db): Promise<Record<string, number>> {
  const rows = await queryRows<{ name: string; last: number | null }>(db)`
    select sequencename as name, last_value as last from pg_sequences where schemaname = current_schema()`;
  return Object.fromEntries(rows.flatMap(({ name, last }) => (last === null ? [] : [[name, last]])));
}

async function readSealingKeys(db: Db): Promise<string[]> {
  const keys = await queryValues<string>(db)`
    select distinct key_id from credentials where replaced_at is null`;
  return keys.toSorted();
}

/** Lists objects of files, corrections and photos. A database of an earlier version may lack some tables. */
export async function listReferencedObjects(db: Db, tables: readonly string[]): Promise<ReferencedObject[]> {
  const files = await queryRows<{ key: string; dialects: ScannedText[] | null }>(db)`
    select object_key as key, jsonb_agg(distinct jsonb_strip_nulls(jsonb_build_object(
        'encoding', dialect->>'encoding',
        'table', case when dialect->'table' is not null then jsonb_build_object(
          'n', (dialect->'table'->>'n')::int, 'converter', (dialect->'table'->>'converter')::int) end
      ))) filter (where dialect->>'encoding' is not null) as dialects
    from imports left join runs on runs.import_id = imports.id and runs.stage = 'parse'
    where to_jsonb(imports)->>'file_removed_at' is null
    group by object_key order by object_key`;
  const corrections = tables.includes('corrections') ? await listCorrections(db) : [];
  const photos = tables.includes('scanned_products') ? await listPhotos(db) : [];
  const pictures = tables.includes('file_pictures') ? await listPicturePhotos(db) : [];
  const ids = new Set([...photos.flatMap((address) => photoIdAt(address) ?? []), ...pictures]);
  const all = [...files, ...corrections];
  const originals = [...all.map(({ key }) => key), ...[...ids].map(photoKey)];
  const made = all.flatMap(({ key, dialects }) => objectKeysOf(key, dialects ?? []).slice(1));
  return [...originals.map((key) => ({ key, isMade: false })), ...made.map((key) => ({ key, isMade: true }))];
}

async function listCorrections(db: Db): Promise<{ key: string; dialects: ScannedText[] }[]> {
  const rows = await queryRows<{ key: string; dialect: ScannedText }>(db)`
    select object_key as key, source->'dialect' as dialect from corrections where object_key is not null
    order by object_key`;
  return rows.map(({ key, dialect }) => ({ key, dialects: [dialect] }));
}

const listPhotos = (db: Db) =>
  queryValues<string>(db)`
    select unnest(photos) as address from scanned_products where deleted_at is null
    union select unnest(photos) from added_rows order by address`;

const listPicturePhotos = (db: Db) =>
  queryValues<string>(db)`
    select distinct photo_id as id from file_pictures where photo_id is not null order by photo_id`;

/** Records a backup that a command made, if the database has the table `backups`. */
export async function recordBackup(db: Db, directory: string): Promise<void> {
  if (await hasRows(db)`select where to_regclass('backups') is not null`)
    await db.insertInto('backups').values({ directory }).execute();
}
