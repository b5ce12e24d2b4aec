import { type Kysely, sql } from 'kysely';

/**
 * What processes counted, by ten seconds; the state of each condition; which api looks after them; and how far the
 * clock of a process is off. `chunks_ended` finds when an import last got on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table health_counts (
      at timestamptz not null,
      name text not null,
      count integer not null,
      primary key (at, name)
    );

    create table conditions (
      id text primary key,
      seen_since timestamptz,
      began_at timestamptz,
      ended_at timestamptz,
      detail text,
      told boolean not null default false
    );

    create table condition_watch (
      singleton boolean primary key default true check (singleton),
      process uuid not null,
      at timestamptz not null default clock_timestamp()
    );

    alter table processes add column clock_skew_ms integer not null default 0;
    -- Built in seconds: one row per part of an import.
    -- squawk-ignore require-concurrent-index-creation
    create index chunks_ended on chunks (import_id, ended_at) where ended_at is not null;
  `.execute(db);
}
