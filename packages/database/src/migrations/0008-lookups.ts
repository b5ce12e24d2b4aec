import { type Kysely, sql } from 'kysely';

/**
 * Look-ups by GTIN: the sources with their quotas, what they said, what products lack, what is proposed, and the state
 * of pictures. product_lacks has no foreign key to its import, like the other tables of rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sources (
      name text primary key,
      base_url text not null,
      position integer not null,
      enabled boolean not null,
      per_window integer not null check (per_window > 0),
      window_ms integer not null check (window_ms > 0),
      per_day integer not null check (per_day > 0),
      day_ms integer not null check (day_ms > 0),
      retry_ms integer not null default 900000,
      calls_left integer,
      calls_left_until timestamptz,
      blocked_until timestamptz,
      blocked_because text,
      failures integer not null default 0,
      changed_at timestamptz not null default now()
    );

    create table source_calls (
      id bigint generated always as identity primary key,
      source text not null references sources on delete cascade,
      gtin text not null,
      admitted_at timestamptz not null default clock_timestamp(),
      counts_from timestamptz not null
    );
    create index source_calls_recent on source_calls (source, counts_from);

    create table lookups (
      gtin text not null,
      source text not null,
      state text not null check (state in ('wanted','asking','hit','miss','failed','covered')),
      attempts integer not null default 0,
      not_before timestamptz,
      asked_at timestamptz,
      answered_at timestamptz,
      expires_at timestamptz,
      applied boolean not null default true,
      answer json,
      error text,
      primary key (gtin, source)
    );
    create index lookups_open on lookups (source, gtin) where state in ('wanted','asking');
    create index lookups_asking on lookups (source, asked_at) where state = 'asking';
    create index lookups_unapplied on lookups (source, gtin) where not applied;

    create table product_lacks (
      import_id uuid not null,
      run integer not null,
      row integer not null,
      gtin text not null,
      fields text[] not null,
      primary key (import_id, run, row)
    );
    create index product_lacks_of_gtin on product_lacks (gtin);

    alter table imports add column found_since_push integer not null default 0;
    alter table found_values add column gtin text, add column attribution text;

    create table proposals (
      id bigint generated always as identity primary key,
      import_id uuid not null references imports on delete cascade,
      row integer not null,
      byte_from bigint not null,
      field text not null,
      before text,
      value text not null,
      source text not null,
      gtin text not null,
      reason text not null,
      attribution text,
      state text not null default 'open' check (state in ('open','taken','dismissed')),
      found_at timestamptz not null default now(),
      decided_at timestamptz,
      unique (import_id, byte_from, field, source, value)
    );
    create index proposals_open on proposals (import_id, row, id) where state = 'open';

    create table field_coverage (
      import_id uuid not null references imports on delete cascade,
      run integer not null,
      field text not null,
      products integer not null default 0,
      filled integer not null default 0,
      found integer not null default 0,
      primary key (import_id, run, field)
    );

    create table outside_access (
      singleton boolean primary key default true check (singleton),
      real_store boolean not null
    );

    create table images (
      url_hash bytea primary key,
      url text not null,
      state text not null check (state in ('ok','bad','unreachable')),
      reason text,
      width integer,
      height integer,
      bytes bigint,
      checked_at timestamptz not null default now()
    );
  `.execute(db);
}
