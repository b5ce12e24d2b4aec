import { type Kysely, sql } from 'kysely';

/**
 * The name of the earlier file with the same bytes, since the import of it may be deleted; and free space of the disk
 * with the data, one line an hour.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table imports add column same_filename text;
    update imports set same_filename = earlier.filename from imports earlier where earlier.id = imports.same_as;

    create table disk_samples (
      hour timestamptz primary key,
      free_bytes bigint not null,
      total_bytes bigint not null
    );
  `.execute(db);
}
