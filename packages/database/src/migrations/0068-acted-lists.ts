import { type Kysely, sql } from 'kysely';

/**
 * When something was planned by a person, or done by full auto, about what a list lacks. A process of the version
 * before does not note it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table supplier_lists add column gone_acted_at timestamptz`.execute(db);
}
