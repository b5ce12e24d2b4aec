import { type Kysely, sql } from 'kysely';

/** Which processes had a chunk, and with which chunk alone a process has died. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table chunks add column held_by uuid,
      add column lost_by uuid[] not null default '{}'`.execute(db);
  await sql`alter table processes add column died_with bigint`.execute(db);
}
