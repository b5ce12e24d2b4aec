import { type Kysely, sql } from 'kysely';

/**
 * Edits belong to commands, which say what an operator did and what was undone. Finalizing a parse run keeps its
 * progress, so that it can work in batches; for the same reason outcomes belong to the parse run whose product numbers
 * they use: those of a re-read are prepared beside the ones that are shown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table edit_commands (
      import_id uuid not null references imports on delete cascade,
      id uuid not null default gen_random_uuid(),
      kind text not null,
      rows integer not null,
      state text not null default 'applied' check (state in ('applied','undone')),
      undoes uuid,
      created_at timestamptz not null default clock_timestamp(),
      primary key (import_id, id),
      foreign key (import_id, undoes) references edit_commands
    );
    insert into edit_commands (import_id, id, kind, rows, created_at)
      select import_id, command, 'single', count(distinct byte_from), min(edited_at) from edits group by 1, 2;
    alter table edits add foreign key (import_id, command) references edit_commands;
    create index edits_of_command on edits (import_id, command);

    alter table runs add column finalize json;

    create table row_joins (
      import_id uuid not null,
      run integer not null,
      row integer not null,
      product integer not null,
      primary key (import_id, run, row)
    );
    create index row_joins_of_product on row_joins (import_id, run, product);

    alter table outcomes add column rows_run integer;
    update outcomes set rows_run = imports.rows_run from imports where imports.id = outcomes.import_id;
    alter table outcomes alter column rows_run set not null;
    alter table outcomes drop constraint outcomes_pkey;
    alter table outcomes add primary key (import_id, rows_run, product);
    create index outcomes_of_id on outcomes (import_id, our_id)`.execute(db);
}
