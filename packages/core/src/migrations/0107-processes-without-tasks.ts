import { type Kysely, sql } from 'kysely';

/** Processes no longer report the kinds of tasks that they do: two versions with different kinds never run together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table processes drop column tasks`.execute(db);
}
