import { type Kysely, sql } from 'kysely';

/** Preferences, and our copy of the store: its products, and the keys of those that we have pushed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table preferences (
      singleton boolean primary key default true check (singleton),
      value jsonb not null
    );

    create table product_keys (
      shop text not null,
      kind text not null check (kind in ('sku','gtin','item')),
      value text not null,
      our_id text not null,
      import_id uuid,
      primary key (shop, kind, value, our_id)
    );
    create index product_keys_of_product on product_keys (shop, our_id);

    create table store_products (
      shop text not null,
      id text not null,
      our_id text,
      title text not null,
      vendor text not null,
      type text not null,
      status text not null,
      handle text not null,
      skus text[] not null,
      gtins text[] not null,
      price text,
      quantity integer,
      image text,
      updated_at timestamptz not null,
      seen_at timestamptz not null,
      primary key (shop, id)
    );
    create index store_products_skus on store_products using gin (skus);
    create index store_products_our_id on store_products (shop, our_id) where our_id is not null;
    create index store_products_gtins on store_products using gin (gtins);

    create table store_syncs (
      shop text primary key,
      started_at timestamptz not null default clock_timestamp(),
      cursor text,
      synced integer not null default 0,
      total integer,
      changed_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz,
      error text
    );

    alter table runs add column when_in_store text check (when_in_store in ('skip','update','create'));
    alter table imports add column in_store integer not null default 0;
  `.execute(db);
}
