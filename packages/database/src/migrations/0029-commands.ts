import { type Kysely, sql } from 'kysely';

/**
 * Commands on any number of rows: what they do, on which rows, and how far they are. `edits_of_command` also gets the
 * order of the edits, and `edits_in_order` finds the last edit of an import: 12 ms instead of 715 of a million.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table edit_commands drop constraint edit_commands_state_check;
    alter table edit_commands
      add constraint edit_commands_state_check check (state in ('applied','undone','applying','undoing')),
      add column operations json,
      add column target json,
      add column since_edit bigint,
      add column edits integer,
      add column left_cells json,
      add column progress json,
      add column ended_at timestamptz;

    create table command_targets (
      import_id uuid not null,
      run integer not null,
      command uuid not null,
      block integer not null,
      rows bit(1024) not null,
      primary key (import_id, run, command, block),
      foreign key (import_id, command) references edit_commands on delete cascade
    );

    create table command_findings (
      import_id uuid not null,
      run integer not null,
      command uuid not null,
      row integer not null,
      field text not null,
      first_row integer,
      primary key (import_id, run, command, row, field),
      foreign key (import_id, command) references edit_commands on delete cascade
    );

    alter table chunks
      add column command uuid,
      add column claims_with_progress integer not null default 0;

    drop index edits_of_command;
    create index edits_of_command on edits (import_id, command, id);
    create index edits_in_order on edits (import_id, id);
  `.execute(db);
}
