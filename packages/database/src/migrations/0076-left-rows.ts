import { type Kysely, sql } from 'kysely';

/** The first rows of cells that a command has left as they were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table edit_commands add column left_rows json`.execute(db);
}
