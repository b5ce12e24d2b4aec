import { type Kysely, sql } from 'kysely';

/** Removes a size that no screen shows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table feed_fetches drop column bytes`.execute(db);
}
