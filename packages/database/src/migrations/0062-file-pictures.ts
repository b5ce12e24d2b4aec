import { type Kysely, sql } from 'kysely';

/**
 * Pictures of archives and workbooks, and the rows that they were matched to. A process of the version before knows
 * none of it: its imports have no pictures.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table file_pictures (
      import_id uuid not null references imports on delete cascade,
      n integer not null,
      entry text not null,
      place json not null,
      sheet integer,
      line integer,
      photo_id uuid,
      state text not null default 'waiting' check (state in ('waiting','stored','refused')),
      reason text,
      primary key (import_id, n)
    );
    create index file_pictures_of_photo on file_pictures (photo_id) where photo_id is not null;

    create table picture_matches (
      import_id uuid not null references imports on delete cascade,
      run integer not null,
      n integer not null,
      row integer,
      reason text,
      primary key (import_id, run, n)
    );

    alter table imports add column pictures integer not null default 0;
  `.execute(db);
}
