import { type Kysely, sql } from 'kysely';

/**
 * Suppliers, their lists and the items of these with our ids, and the operator's values that follow a product into the
 * next list. Columns are added without a default, so that no table is rewritten. A process of the version before knows
 * none of it; `processes.forms` says who does.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table suppliers (
      id integer generated always as identity primary key,
      name text not null,
      named_by_operator boolean not null default false,
      currencies text[] not null default '{}',
      products_max integer,
      updates_agreed_at timestamptz,
      stock_choice text check (stock_choice in ('use-ours','skip')),
      last_number integer not null default 0,
      created_at timestamptz not null default clock_timestamp()
    );

    create unique index suppliers_name on suppliers (lower(name));

    create table supplier_signs (
      kind text not null check (kind in ('layout','folder','filename','vendor','gtin-prefix')),
      value text not null,
      supplier integer not null references suppliers on delete cascade,
      lists integer not null default 1,
      last_at timestamptz not null default clock_timestamp(),
      primary key (kind, value, supplier)
    );
    create index supplier_signs_of_supplier on supplier_signs (supplier);

    create table supplier_lists (
      supplier integer not null references suppliers on delete cascade,
      number integer not null,
      import_id uuid references imports on delete set null,
      filename text not null,
      file_at timestamptz,
      state text not null default 'open' check (state in ('open','counted','not counted')),
      fields text[] not null default '{}',
      compared_with integer,
      counts json,
      findings json,
      commands json,
      answers json not null default '{}',
      began_at timestamptz not null default clock_timestamp(),
      counted_at timestamptz,
      counted_run integer,
      primary key (supplier, number)
    );
    create unique index supplier_list_of_import on supplier_lists (import_id);

    create table supplier_items (
      supplier integer not null references suppliers on delete cascade,
      key text not null,
      our_id text not null,
      title text,
      hashes bytea,
      price bigint,
      quantity integer,
      gtin bigint,
      first_list integer not null,
      content_list integer,
      missed_since integer,
      primary key (supplier, key)
    ) with (fillfactor = 90);

    create table list_changes (
      supplier integer not null,
      list integer not null,
      key text not null,
      before json,
      primary key (supplier, list, key)
    );

    create table row_items (
      import_id uuid not null,
      run integer not null,
      "row" integer not null,
      item text,
      our_id text,
      change integer not null,
      primary key (import_id, run, "row")
    );

    create table change_bitmaps (
      import_id uuid not null,
      run integer not null,
      change text not null,
      block integer not null,
      rows bit(1024) not null,
      primary key (import_id, run, change, block)
    );

    create table missing_items (
      import_id uuid not null,
      run integer not null,
      key text not null,
      primary key (import_id, run, key)
    );

    create table carried_values (
      supplier integer not null references suppliers on delete cascade,
      subject text not null,
      field text not null,
      kind text not null check (kind in ('value','left out','dismissed')),
      value text,
      said_of text,
      source text,
      said_at timestamptz not null,
      said_in text not null,
      import_id uuid not null,
      settled_in uuid,
      primary key (supplier, subject, field)
    );

    alter table rows add column item_key text, add column item_hashes bytea, add column item_price bigint,
      add column item_quantity integer, add column item_gtin bigint;
    alter table imports add column supplier integer, add column supplier_by text, add column asked_supplier integer,
      add column asked_known integer, add column asked_sampled integer, add column file_at timestamptz, add column edits_kept_to bigint not null default 0,
      add column proposals_kept_to timestamptz;
    alter table runs add column supplier integer, add column supplier_by text, add column supplier_name text,
      add column is_partial boolean;
    alter table edit_commands add column carried json;
    alter table product_keys add column supplier integer;
    alter table processes add column forms text[] not null default '{}';
  `.execute(db);
}
