import { type Kysely, sql } from 'kysely';

/**
 * What is left of rows that were removed: their places in the file, in blocks. Our ids and edits refer to these places,
 * so they stay when a pushed import is deleted too, with what is needed to find them by the file's content. Neither
 * table has a foreign key to imports.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table imports
      add column rows_removed_at timestamptz,
      add column file_removed_at timestamptz,
      add column deletion_began_at timestamptz;

    alter table runs add column searched_at timestamptz;

    create table kept_places (
      import_id uuid not null,
      run integer not null,
      block integer not null,
      rows integer[] not null,
      lines integer[] not null,
      offsets bigint[] not null,
      own_ids text[],
      primary key (import_id, run, block)
    );

    create table deleted_imports (
      id uuid primary key,
      sha256 text not null,
      run integer not null,
      total_rows integer not null,
      scanned_in text not null,
      counted_in text not null,
      deleted_at timestamptz not null default clock_timestamp()
    );
    create index deleted_imports_same on deleted_imports (sha256, total_rows desc, deleted_at desc);

    -- Built in seconds: these tables have one row per run, part, product or picture.
    -- squawk-ignore require-concurrent-index-creation
    create index runs_searchable on runs (started_at) where searchable;
    -- squawk-ignore require-concurrent-index-creation
    create index chunks_ended_push on chunks (ended_at)
      where stage = 'push' and kind = 'work' and state in ('done','dropped');
    -- squawk-ignore require-concurrent-index-creation
    create index pushed_states_written on pushed_states (written_at);
    -- squawk-ignore require-concurrent-index-creation
    create index images_checked on images (checked_at);
  `.execute(db);
}
