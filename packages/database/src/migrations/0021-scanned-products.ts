import { type Kysely, sql } from 'kysely';

/**
 * The library of the Product Scanner, and the products of it that were added to imports. Ids come from clients, so a
 * deleted product keeps its line for a while: a late repeat of its creation must not bring it back. Photos have no
 * table: an object's key is its id, and the two arrays say who uses it.
 *
 * `row_search.code` is the SKU of a row that the trigram index cannot find, such as 'VA-1'. Runs that were made
 * searchable before have none of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table scanned_products (
      id uuid primary key,
      own_id text not null generated always as (replace(id::text, '-', '')) stored,
      name text not null,
      description text not null default '',
      price text not null,
      sku text not null,
      upc text,
      gtin text,
      dimensions jsonb not null,
      weight jsonb not null,
      photos text[] not null default '{}',
      version integer not null default 1,
      created_at timestamptz not null default clock_timestamp(),
      arrived_at timestamptz not null default clock_timestamp(),
      changed_at timestamptz not null default clock_timestamp(),
      synced_at timestamptz,
      synced_shop text,
      synced_version integer,
      store_product_id text,
      deleted_at timestamptz
    );
    create index scanned_products_newest on scanned_products (created_at desc, id) where deleted_at is null;
    create index scanned_products_gtin on scanned_products (gtin) where gtin is not null and deleted_at is null;
    create index scanned_products_sku on scanned_products (lower(sku)) where deleted_at is null;
    create index scanned_products_photos on scanned_products using gin (photos);
    create index scanned_products_deleted on scanned_products (deleted_at) where deleted_at is not null;

    create table added_rows (
      import_id uuid not null references imports on delete cascade,
      product_id uuid not null,
      ordinal integer not null check (ordinal > 0),
      own_id text not null,
      values jsonb not null,
      version integer not null,
      photos text[] not null default '{}',
      added_at timestamptz not null default clock_timestamp(),
      taken_at timestamptz not null default clock_timestamp(),
      primary key (import_id, product_id),
      unique (import_id, ordinal)
    );
    create index added_rows_of_product on added_rows (product_id, added_at desc);
    create index added_rows_photos on added_rows using gin (photos);

    alter table row_search add column code text collate "C";
    create index row_search_codes on row_search (import_id, run, code) where code is not null;
    alter table runs add column codes_searchable boolean not null default false;
  `.execute(db);
}
