import { type Kysely, sql } from 'kysely';

/** Files that are being stored and belong to no import yet (docs/decisions/0080). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table uploads (
      object_key text primary key,
      -- The database that the row was written in: a copy of the database has it too, but not the right to the file.
      database_id text not null,
      sweeps integer not null default 0,
      swept_at timestamptz not null default clock_timestamp()
    );
  `.execute(db);
}
