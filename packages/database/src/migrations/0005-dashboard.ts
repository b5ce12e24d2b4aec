import { type Kysely, sql } from 'kysely';

/**
 * What the dashboard and the history read. hourly_counts has one line per hour and import, so that a counter is only
 * changed under the lock of its import: pushes of different imports never wait for each other. Lines that no chart
 * shows any more are folded into count_offsets.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table activity (
      id bigint generated always as identity primary key,
      type text not null check (type in ('completed','processing','error','other')),
      message text not null,
      import_id uuid references imports on delete set null,
      created_at timestamptz not null default clock_timestamp()
    );

    create table hourly_counts (
      hour timestamptz not null,
      import_id uuid not null,
      processed_files integer not null default 0,
      failed_imports integer not null default 0,
      created integer not null default 0,
      updated integer not null default 0,
      unchanged integer not null default 0,
      skipped integer not null default 0,
      failed integer not null default 0,
      primary key (hour, import_id)
    );

    create table count_offsets (
      singleton boolean primary key default true check (singleton),
      files_processed bigint not null default 0,
      products_created bigint not null default 0,
      errors bigint not null default 0
    );
    insert into count_offsets default values;

    create index imports_latest_ended on imports (completed_at desc, id)
      where status in ('completed','failed','cancelled');
  `.execute(db);
}
