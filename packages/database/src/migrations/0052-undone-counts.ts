import { type Kysely, sql } from 'kysely';

/** Counts the created products whose push was undone, beside those that were created. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table hourly_counts add column undone integer not null default 0;
    alter table count_offsets add column products_undone bigint not null default 0;
  `.execute(db);
}
