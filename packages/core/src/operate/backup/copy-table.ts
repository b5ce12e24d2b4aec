import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { CopiedTable } from './copied-tables.ts';

/** `name (column, …)`, quoted. */
const named = ({ name, columns }: CopiedTable) =>
  `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`;

/**
 * Passes all rows of a table to `store`, in COPY's text format, which any later major version of Postgres reads.
 * Returns their number. Throws what Postgres or `store` throws; the connection is closed then.
 */
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
    // Postgres goes on sending, and a COPY to the client cannot be ended in another way.
    await (client as pg.Client).end();
    throw error;
  }
}

/** Reads rows that `copyOut` has written into an existing table. Returns their number. */
export async function copyIn(client: pg.ClientBase, table: CopiedTable, from: Readable): Promise<number> {
  const copy = client.query(copyFrom(`copy ${named(table)} from stdin`));
  await pipeline(from, copy);
  return copy.rowCount;
}
