import { type Kysely, sql } from 'kysely';

/** Adds the addresses from which suppliers' lists come, and what each fetch brought. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table feeds (
      id uuid primary key default gen_random_uuid(),
      supplier integer references suppliers on delete cascade,
      state text not null default 'test' check (state in ('test', 'on')),
      kind text not null check (kind in ('web', 'sheet', 'sftp')),
      shown text not null,
      host text not null,
      sign_in text not null check (sign_in in ('none', 'password', 'header', 'key')),
      host_key text,
      schedule jsonb,
      zone text not null default 'UTC',
      etag text,
      last_modified text,
      sha256 text,
      rows_hash text,
      last_import uuid,
      asked_at timestamptz,
      fetched_at timestamptz,
      found_at timestamptz,
      next_fetch_at timestamptz,
      failures integer not null default 0,
      trouble text,
      trouble_kind text,
      trouble_cause text,
      trouble_since timestamptz,
      preview jsonb,
      runs_itself boolean not null default false,
      itself_at timestamptz,
      itself_ended text,
      created_at timestamptz not null default now(),
      check (state = 'test' or supplier is not null)
    );
    create unique index feeds_of_suppliers on feeds (supplier) where (state = 'on');
    create index feeds_due on feeds (next_fetch_at) where (state = 'on');
    create table feed_fetches (
      id bigint primary key generated always as identity,
      feed uuid not null references feeds on delete cascade,
      at timestamptz not null default clock_timestamp(),
      result text not null check (result in ('taken', 'same', 'failed')),
      import_id uuid,
      bytes bigint,
      sentence text,
      cause text,
      replaced boolean not null default false,
      planned boolean not null default false,
      agreed text check (agreed in ('equal', 'different', 'unknown'))
    );
    create index feed_fetches_of_feeds on feed_fetches (feed, id desc);
    create index feed_fetches_open on feed_fetches (import_id) where (result = 'taken' and not replaced and agreed is null);
    alter table imports drop constraint imports_source_check,
      add constraint imports_source_check check (source in ('upload', 'local', 'onedrive', 'address'));
  `.execute(db);
}
