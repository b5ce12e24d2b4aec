import { type Kysely, sql } from 'kysely';

/**
 * Every process reports itself, so that a stage publishes as many chunks as its slots need. `swept_at` is when a
 * process last began a sweep. `chunks.priority` is a chunk's place among the published chunks of its import.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table processes (
      id uuid primary key,
      kind text not null,
      version text not null,
      host text not null,
      pid integer not null,
      slots integer not null check (slots >= 0),
      started_at timestamptz not null default clock_timestamp(),
      seen_at timestamptz not null default clock_timestamp(),
      swept_at timestamptz
    );
    alter table chunks add column priority integer`.execute(db);
}
