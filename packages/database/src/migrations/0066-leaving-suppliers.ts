import { type Kysely, sql } from 'kysely';

/**
 * A supplier that is being merged into another one, or deleted, and what a merge has found in both. A process of the
 * version before does neither, and such a task waits while one is live.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table suppliers add column leaves_since timestamptz,
      add column merging_into integer,
      add column first_number integer not null default 0,
      add column merged json;
  `.execute(db);
}
