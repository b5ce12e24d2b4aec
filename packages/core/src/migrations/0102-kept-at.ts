import { type Kysely, sql } from 'kysely';

/** When a value was kept, and when a list was last given those of the supplier's other lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table carried_values add column kept_at timestamptz not null default clock_timestamp();
    update carried_values set kept_at = said_at;
    alter table runs add column carried_at timestamptz;
  `.execute(db);
}
