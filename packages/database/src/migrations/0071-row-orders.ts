import { type Kysely, sql } from 'kysely';

/**
 * Orders of an import's rows by a field. An order is made once, in parts: keys of stretches of rows first, then the row
 * numbers in the order of these keys, 1,024 in a block of four bytes each. A process of the version before knows none
 * of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table row_orders (
      import_id uuid not null,
      run integer not null,
      field text not null,
      id uuid,
      rows integer not null default 0,
      filled integer not null default 0,
      since_edit bigint not null default 0,
      sorted_at timestamptz,
      read_rows integer,
      next_edit bigint not null default 0,
      asked_at timestamptz not null default clock_timestamp(),
      primary key (import_id, run, field)
    );

    create table row_order_keys (
      import_id uuid not null,
      run integer not null,
      field text not null,
      row_from integer not null,
      rows integer[] not null,
      keys text[] not null,
      primary key (import_id, run, field, row_from)
    );

    create table row_order_blocks (
      import_id uuid not null,
      run integer not null,
      field text not null,
      block integer not null,
      rows bytea not null,
      primary key (import_id, run, field, block)
    );
    alter table row_order_blocks alter column rows set storage external;
  `.execute(db);
}
