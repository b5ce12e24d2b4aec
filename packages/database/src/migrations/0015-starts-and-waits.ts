import { type Kysely, sql } from 'kysely';

/**
 * How often an import was set running, so that what a worker found before a retry does not count after it; which tasks
 * a worker knows; and when waits began, so that a clock that was set back does not prolong them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table imports add column starts integer not null default 0;
    alter table imports add column paused_at timestamptz;
    alter table chunks add column deferred_at timestamptz;
    alter table processes add column tasks text[] not null default '{}';
  `.execute(db);
}
