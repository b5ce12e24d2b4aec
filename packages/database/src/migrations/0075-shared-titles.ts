import { type Kysely, sql } from 'kysely';

/** The products of a run that share a title, and the columns that may tell them apart as variants. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column shared_titles json`.execute(db);
}
