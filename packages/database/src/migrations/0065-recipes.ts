import { type Kysely, sql } from 'kysely';

/**
 * What was done to a supplier's list and can be done again to the next one. A command that does it has several steps
 * with their own targets. A process of the version before knows none of it: it leaves tasks of a kind that it has not.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table supplier_recipes (
      supplier integer not null references suppliers on delete cascade,
      id uuid primary key default gen_random_uuid(),
      operations json not null,
      target json not null,
      takes json not null,
      asks text not null default 'ask' check (asks in ('ask','always','never')),
      position integer not null,
      rows_last integer not null,
      rows_then integer not null,
      done_in text not null,
      made_in uuid not null,
      made_at timestamptz not null,
      done_at timestamptz not null,
      used_at timestamptz,
      version integer not null default 1
    );
    create index supplier_recipes_of_supplier on supplier_recipes (supplier, position);

    create table command_step_targets (
      import_id uuid not null,
      run integer not null,
      command uuid not null,
      step integer not null,
      block integer not null,
      rows bit(1024) not null,
      primary key (import_id, run, command, step, block),
      foreign key (import_id, command) references edit_commands on delete cascade
    );

    alter table edit_commands add column steps json;
  `.execute(db);
}
