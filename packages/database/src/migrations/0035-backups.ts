import { type Kysely, sql } from 'kysely';

/** When backups were completed, and where to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backups (
      taken_at timestamptz not null default clock_timestamp(),
      directory text not null
    )`.execute(db);
}
