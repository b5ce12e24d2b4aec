import { type Kysely, sql } from 'kysely';

/** How often an import was set running, so that what a worker found before a retry does not count after it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table imports add column starts integer not null default 0`.execute(db);
}
