import { type Kysely, sql } from 'kysely';

/** When a chunk was made, the code of the cause of its last failure, and how often it was retried for that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table chunks add column created_at timestamptz, add column cause text,
      add column retries integer not null default 0`.execute(db);
  await sql`alter table chunks alter column created_at set default clock_timestamp()`.execute(db);
  await sql`
    update chunks set cause = left(regexp_replace(error, '[0-9]+', '#', 'g'), 160) where state = 'dead'`.execute(
    db,
  );
  await sql`create index chunks_with_cause on chunks (import_id, stage, run) where cause is not null`.execute(
    db,
  );
  await sql`create index chunks_done on chunks (ended_at) where state = 'done'`.execute(db);
}
