import { type Kysely, sql } from 'kysely';

/** Keeps preferences with the settings, and the dashboard's folded counts as a line of the hourly counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settings add column preferences jsonb not null default '{}';
    update settings set preferences = preferences.value from preferences;
    drop table preferences;
    insert into hourly_counts (hour, import_id, processed_files, created, undone, failed)
      select '-infinity', '00000000-0000-0000-0000-000000000000', files_processed, products_created, products_undone,
        errors from count_offsets;
    drop table count_offsets;
  `.execute(db);
}
