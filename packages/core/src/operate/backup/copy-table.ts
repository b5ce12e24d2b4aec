import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Db } from '../../connection/database.ts';
import { queryValue } from '../../connection/query-rows.ts';
import type { CopiedTable } from './copied-tables.ts';

const named = ({ name, columns }: CopiedTable) =>
  `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`;

/** Passes all rows to `store` as COPY text, which later versions of Postgres can read. Returns the number of rows. */
export async function copyOut(
  client: pg.ClientBase,
  table: CopiedTable,
  store: (rows: Readable) => Promise<void>,
): Promise<number> {
  const copy = client.query(copyTo(`copy ${named(table)} to stdout`));
  try {
    await store(copy);
    return copy.rowCount;
  } catch (error) {
    // Closes the connection, because nothing else stops Postgres from sending the rest of a COPY.
    await (client as pg.Client).end();
    throw error;
  }
}

/** Loads rows, as text of `copyOut`, into an existing table. Returns the number of rows. */
export async function copyIn(client: pg.ClientBase, table: CopiedTable, from: Readable): Promise<number> {
  const copy = client.query(copyFrom(`copy ${named(table)} from stdin`));
  await pipeline(from, copy);
  return copy.rowCount;
}

/** Sets one text form for dates and numbers, independent of the server's settings, and removes time limits. */
export async function applyCopySettings(db: Db): Promise<void> {
  await sql`
    select set_config(name, value, true) from (values
      ('datestyle', 'ISO'), ('timezone', 'UTC'), ('intervalstyle', 'postgres'), ('extra_float_digits', '3'), ('bytea_output', 'hex'),
      ('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '0'), ('maintenance_work_mem', '256MB')
    ) as settings(name, value)`.execute(db);
}

/** Returns a checksum of all rows in any order. Compare only checksums of one server, after `applyCopySettings`. */
export async function checksumTable(db: Db, { name, columns }: CopiedTable): Promise<string> {
  const row = sql`row(${sql.join(columns.map((column) => sql.ref(column)))})`;
  return queryValue<string>(db)`
    select coalesce(sum(hashtextextended(${row}::text, 0)), 0)::text as sum from ${sql.table(name)}`;
}
