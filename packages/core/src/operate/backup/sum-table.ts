import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { CopiedTable } from './copied-tables.ts';

/**
 * A sum over all values of a table, whatever the order of its rows. Two tables with the same rows have the same sum
 * under the settings of `useCopySettings`, on one server.
 */
export async function sumTable(db: Db, { name, columns }: CopiedTable): Promise<string> {
  const row = sql`row(${sql.join(columns.map((column) => sql.ref(column)))})`;
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(hashtextextended(${row}::text, 0)), 0)::text as sum from ${sql.table(name)}`.execute(
    db,
  );
  return rows[0]?.sum ?? '0';
}
