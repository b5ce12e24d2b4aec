import { type Kysely, sql } from 'kysely';

/**
 * A row whose cells the reader put into other columns keeps those of the file beside them. A column that may be null
 * and has no default is added without a look at the rows, however many there are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table rows add column cells_as_read json`.execute(db);
}
