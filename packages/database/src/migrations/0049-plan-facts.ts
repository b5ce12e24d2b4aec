import { type Kysely, sql } from 'kysely';

/** What a plan knew when it was made: the edits during it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table plans add column edits_until bigint;
  `.execute(db);
}
