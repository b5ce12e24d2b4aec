import { type Kysely, sql } from 'kysely';

/**
 * Files of corrections that were uploaded to an import: what was found in them, by row and cell. A process of the
 * version before knows none of it: it reads no such file and has no task for one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table corrections (
      id uuid primary key default gen_random_uuid(),
      import_id uuid not null references imports on delete cascade,
      run integer not null,
      filename text not null,
      object_key text,
      source json not null,
      state text not null default 'comparing' check (state in ('comparing','compared','applied')),
      at json,
      counts json not null,
      since_edit bigint not null,
      command uuid,
      created_at timestamptz not null default clock_timestamp()
    );
    create index corrections_of_import on corrections (import_id);
    create index corrections_of_command on corrections (command) where command is not null;

    create table correction_rows (
      import_id uuid not null references imports on delete cascade,
      corrections uuid not null references corrections on delete cascade,
      byte_from bigint not null,
      hash text not null,
      is_ambiguous boolean not null default false,
      primary key (corrections, byte_from)
    );
    create index correction_rows_of_import on correction_rows (import_id);

    create table correction_cells (
      import_id uuid not null references imports on delete cascade,
      corrections uuid not null references corrections on delete cascade,
      line integer not null,
      row integer,
      byte_from bigint,
      field text,
      kind text not null,
      before text,
      now text,
      after text
    );
    create index correction_cells_of_import on correction_cells (import_id);
    create index correction_cells_of_row on correction_cells (corrections, row);
    create index correction_cells_of_line on correction_cells (corrections, line);
  `.execute(db);
}
