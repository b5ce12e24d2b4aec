import { type Kysely, sql } from 'kysely';

/**
 * Undos of pushes: what is done with each product that a push run has written, and what was done. Lines have no foreign
 * key: an undo of a million lines is removed in parts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table imports add column undoes_run integer;

    alter table runs drop constraint runs_kind_check;
    alter table runs add constraint runs_kind_check check (kind in ('full','reread','retry','undo')) not valid;

    alter table listings drop constraint listings_sending_kind_check;
    alter table listings add constraint listings_sending_kind_check
      check (sending_kind in ('create','update','undo')) not valid;

    create table push_undos (
      id bigint generated always as identity primary key,
      import_id uuid not null references imports on delete cascade,
      push_run integer not null,
      made_at_run integer not null,
      shop text not null,
      when_unsure text not null check (when_unsure in ('keep','archive')),
      position bigint,
      total integer,
      sums json not null default '{}',
      choices json not null default '{}',
      recreated_variants integer not null default 0,
      points integer not null default 0,
      started_at timestamptz not null default clock_timestamp(),
      previewed_at timestamptz,
      problem text,
      run integer,
      status_before json,
      results json not null default '{}',
      ended_at timestamptz,
      replaced_at timestamptz
    );
    create unique index push_undo_of_import on push_undos (import_id) where replaced_at is null;
    create index push_undos_of_import on push_undos (import_id, run);

    create table undo_lines (
      undo bigint not null,
      line integer not null,
      our_id text not null,
      store_product_id text,
      title text,
      action text not null,
      code text,
      message text,
      kept json,
      choosable boolean not null,
      choice text check (choice in ('keep','archive','delete')),
      result text,
      result_code text,
      result_message text,
      primary key (undo, line)
    );
    create index undo_lines_by_action on undo_lines (undo, action, code, line);
    create index undo_lines_by_result on undo_lines (undo, result, result_code, line) where result is not null;
    create index undo_lines_chosen on undo_lines (undo, line) where choice is not null;

    -- Pushes and the removal of old states write these tables. They wait for a lock without a limit; only a request
    -- that unlinks a product gives up, and can be repeated.
    -- squawk-ignore require-concurrent-index-creation
    create index listings_being_sent on listings (sending_chunk) where sending_chunk is not null;
    -- squawk-ignore require-concurrent-index-creation
    create index pushed_states_of_run on pushed_states (import_id, run, id);
    -- squawk-ignore require-concurrent-index-deletion
    drop index pushed_states_of_import;
  `.execute(db);
}
