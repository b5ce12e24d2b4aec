import { type Kysely, sql } from 'kysely';

/** What pushes store beyond the first schema. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table listings add column sending_until timestamptz;
  `.execute(db);
}
