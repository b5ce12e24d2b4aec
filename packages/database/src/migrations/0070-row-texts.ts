import { type Kysely, sql } from 'kysely';

/**
 * What rows are searched by, without an index of trigrams: the texts of adjacent rows in a line that fills a page and
 * is neither compressed nor moved out of the table, and for each line a signature of 8,192 bits of the four-byte pieces
 * in it, in a table of its own that is read as a whole.
 *
 * A process of the version before writes neither table when a row is edited. It writes `row_search` then, and that
 * lets the texts of the run be made again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table row_texts (
      import_id uuid not null,
      run integer not null,
      row_from integer not null,
      row_to integer not null,
      text text collate "C" not null,
      primary key (import_id, run, row_from)
    ) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
      autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_analyze_scale_factor = 0.05);
    alter table row_texts alter column text set storage main;

    create table row_text_signs (
      import_id uuid not null,
      run integer not null,
      row_from integer not null,
      sign bytea not null,
      primary key (import_id, run, row_from)
    ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
      autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_analyze_scale_factor = 0.05);

    alter table runs add column texts_stored boolean not null default false;

    create function lose_row_texts() returns trigger language plpgsql as $$
    begin
      update runs set texts_stored = false
      where import_id = new.import_id and stage = 'parse' and run = new.run and texts_stored;
      return new;
    end $$;
    create trigger lose_row_texts before insert on row_search for each row execute function lose_row_texts();
  `.execute(db);
}
