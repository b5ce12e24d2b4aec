import { type Kysely, sql } from 'kysely';

/**
 * The store's currency, rows whose SKU or UPC another import has too, and times of change that the workers of a push
 * share. row_matches has no foreign key to its import, like the other tables of rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table shops add column currency text;
    alter table runs add column currency text;

    create table row_matches (
      import_id uuid not null,
      run integer not null,
      row integer not null,
      field text not null check (field in ('sku','upc')),
      other_import uuid not null,
      marked boolean not null default false,
      found_at timestamptz not null default now(),
      primary key (import_id, run, row)
    );

    create table stamp_reads (
      import_id uuid not null references imports on delete cascade,
      run integer not null,
      part integer not null,
      stamps json,
      changed_at timestamptz not null default clock_timestamp(),
      primary key (import_id, run, part)
    );
  `.execute(db);
}
