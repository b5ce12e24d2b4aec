import { type Kysely, sql } from 'kysely';

/**
 * By which connection a process has reported itself, since when Postgres has answered it, and what it held when it
 * died. The row of a process of the version before has no connection: whether it has died is not known.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table processes add column backend_pid int,
      add column backend_start timestamptz,
      add column answered_since timestamptz,
      add column died_at timestamptz`.execute(db);
  await sql`
    alter table tasks add column held_by uuid,
      add column lost int not null default 0,
      add column lost_since timestamptz`.execute(db);
  await sql`
    alter table watched_files add column held_by uuid,
      add column deaths int not null default 0,
      add column suspected boolean not null default false`.execute(db);
}
