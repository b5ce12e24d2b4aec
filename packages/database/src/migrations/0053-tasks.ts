import { type Kysely, sql } from 'kysely';

/**
 * Tasks of an installation, a shop or a folder: one row for each, held by a lease. `claims` is the number of the latest
 * claim, by which a process that lost its lease is recognized. Syncs under way are continued as tasks. Nothing uses
 * `condition_watch` any more; a process of the version before still does.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tasks (
      id bigint generated always as identity primary key,
      kind text not null,
      subject text not null default '',
      due_at timestamptz,
      held_until timestamptz,
      claims integer not null default 0,
      attempts integer not null default 0,
      waiting_for text,
      error text,
      changed_at timestamptz not null default clock_timestamp(),
      unique (kind, subject)
    );
    insert into tasks (kind, subject, due_at)
      select 'sync-store', shop, clock_timestamp() from store_syncs where ended_at is null;
    insert into tasks (kind, subject, due_at)
      select 'sign-in', 'onedrive', clock_timestamp() where exists (
        select from sign_ins where state in ('asked', 'code'));
  `.execute(db);
}
