import { type Kysely, sql } from 'kysely';

/** Keeps the tasks of no import as chunks with a subject. One that a process held is due. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table chunks add column subject text,
      alter column import_id drop not null, alter column stage drop not null, alter column run drop not null,
      add constraint chunks_belong check ((subject is null) = (import_id is not null));
    create unique index chunks_of_subjects on chunks (task, subject) where subject is not null;
    insert into chunks (kind, task, subject, sequence, state, not_before, deferred_at, waiting_for, error, attempts,
        claims, claims_with_progress)
      select 'task', kind, subject, -1, case when coalesce(due_at, held_until) is null then 'done' else 'pending' end,
        coalesce(due_at, case when held_until is not null then clock_timestamp() end), changed_at, waiting_for, error,
        attempts, claims, claims - attempts
      from tasks;
    drop table tasks;
  `.execute(db);
}
