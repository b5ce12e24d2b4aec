import { type Kysely, sql } from 'kysely';

/** Drops two columns of folders that only earlier releases read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table watched_files drop column etag`.execute(db);
  await sql`alter table watch_sources drop column found_at`.execute(db);
}
