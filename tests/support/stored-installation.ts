import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { type OpenDatabase, withPinnedConnection } from '@draftshelf/core/connection/database';
import { migrate } from '@draftshelf/core/migrations/migrate';
import { appliedMigrations } from '@draftshelf/core/migrations/schema-gate';
import { listTables } from '@draftshelf/core/operate/backup/copied-tables';
import { applyCopySettings, copyIn, copyOut } from '@draftshelf/core/operate/backup/copy-table';
import type { ClientBase } from 'pg';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** The data directory of an `npm start` of an earlier version, without what it makes again. */
type StoredInstallation = {
  migrations: string[];
  tables: { name: string; columns: string[]; rows: string }[];
  sequences: Record<string, string>;
  /** Files of the data directory by path, in base64. */
  files: Record<string, string>;
};

/** Objects, the demo store with its products, and the keys of both. */
const directories = ['objects', 'secrets', 'store'];
const ownTables = ['kysely_migration', 'kysely_migration_lock'];

const fileOf = (version: string) => new URL(`../fixtures/installations/${version}.json.zst`, import.meta.url);

/** Stores the data directory of an earlier version, whose database is `database`, as a fixture. */
export async function storeInstallation(
  version: string,
  { database, dataDir }: { database: OpenDatabase; dataDir: string },
): Promise<void> {
  const { tables, sequences } = await withPinnedConnection(database, ({ db, client }) =>
    db.transaction().execute(async (trx) => {
      await applyCopySettings(trx);
      const copied: StoredInstallation['tables'] = [];
      for (const table of await listTables(trx)) {
        if (ownTables.includes(table.name)) continue;
        let rows = '';
        await copyOut(client, table, async (stream) => {
          rows = await text(stream);
        });
        copied.push({ ...table, rows });
      }
      return { tables: copied, sequences: await readSequences(client) };
    }),
  );
  const files: Record<string, string> = {};
  for (const directory of directories) {
    const found = await readdir(path.join(dataDir, directory), { recursive: true, withFileTypes: true });
    for (const file of found.filter((one) => one.isFile())) {
      const whole = path.join(file.parentPath, file.name);
      files[path.relative(dataDir, whole)] = await readFile(whole, 'base64');
    }
  }
  const migrations = await appliedMigrations(database.db);
  const stored: StoredInstallation = { migrations, tables, sequences, files };
  await writeFile(fileOf(version), await compress(JSON.stringify(stored)));
}

async function readSequences(client: ClientBase): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = current_schema() and last_value is not null`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

/** Fills an empty database, and a data directory if there is one, with the data of an earlier version. */
export async function loadInstallation(
  version: string,
  { database, dataDir }: { database: OpenDatabase; dataDir?: string },
): Promise<void> {
  const stored: StoredInstallation = JSON.parse(
    (await decompress(await readFile(fileOf(version)))).toString(),
  );
  await migrate(database, stored.migrations.at(-1));
  await withPinnedConnection(database, ({ db, client }) =>
    db.transaction().execute(async (trx) => {
      await applyCopySettings(trx);
      await client.query('set local session_replication_role = replica');
      for (const table of stored.tables) {
        await client.query(`delete from ${table.name}`);
        await copyIn(client, table, Readable.from([table.rows]));
      }
      for (const [name, last] of Object.entries(stored.sequences)) {
        await client.query('select setval($1::regclass, $2::bigint)', [name, last]);
      }
    }),
  );
  if (dataDir === undefined) return;
  for (const [name, content] of Object.entries(stored.files)) {
    const file = path.join(dataDir, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, Buffer.from(content, 'base64'));
  }
}
