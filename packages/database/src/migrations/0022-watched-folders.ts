import { type Kysely, sql } from 'kysely';

/**
 * Folders whose files become imports by themselves: the places, the versions of files seen there, and sign-ins under
 * way. An import notes where its file came from and the mode it arrived under. The line of a file and the line of a
 * place have a claim number and a lease: a process that slept past its lease finds another number and writes nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table watch_sources (
      id uuid primary key default gen_random_uuid(),
      kind text not null unique check (kind in ('local', 'onedrive')),
      place jsonb,
      place_key text,
      cursor text,
      baseline text not null default 'asked' check (baseline in ('asked', 'ignored', 'taken')),
      state text not null default 'off' check (state in ('off', 'setup', 'ok', 'waiting', 'trouble')),
      trouble text,
      trouble_kind text,
      trouble_cause text,
      trouble_since timestamptz,
      failures integer not null default 0,
      can_write boolean,
      files integer,
      account text,
      simulated boolean not null default false,
      asked_at timestamptz,
      looked_at timestamptz,
      found_at timestamptz,
      next_look_at timestamptz,
      blocked_until timestamptz,
      look integer not null default 0,
      look_until timestamptz,
      changed_at timestamptz not null default clock_timestamp()
    );

    create table watched_files (
      id bigint primary key generated always as identity,
      source uuid not null references watch_sources on delete cascade,
      place_key text not null,
      file_key text not null,
      version text not null,
      name text not null,
      bytes bigint not null,
      modified_at timestamptz,
      etag text,
      state text not null check (state in
        ('held', 'settling', 'waiting', 'taking', 'taken', 'same', 'refused', 'ignored', 'failed', 'gone')),
      option text check (option in ('due', 'archived', 'deleted', 'kept', 'left')),
      option_wanted text check (option_wanted in ('archive', 'delete')),
      reason text,
      attempts integer not null default 0,
      not_before timestamptz,
      claim integer not null default 0,
      claimed_until timestamptz,
      take_anyway boolean not null default false,
      import_id uuid references imports on delete set null,
      sha256 text,
      new_key text,
      first_seen_at timestamptz not null default clock_timestamp(),
      seen_at timestamptz not null default clock_timestamp(),
      changed_at timestamptz not null default clock_timestamp(),
      summarized boolean not null default false,
      unique (source, place_key, file_key, version)
    );
    create index watched_files_refused on watched_files (source, id) where state = 'refused' and not summarized;
    create index watched_files_states on watched_files (source, state, not_before);
    create index watched_files_seen on watched_files (source, seen_at);
    create index watched_files_newest on watched_files (source, changed_at desc, id desc);
    create index watched_files_imports on watched_files (import_id) where import_id is not null;
    create index watched_files_options on watched_files (source, changed_at) where option = 'due';

    create table sign_ins (
      id uuid primary key default gen_random_uuid(),
      way text not null check (way in ('code', 'app')),
      state text not null default 'asked' check (state in ('asked', 'code', 'done', 'failed', 'cancelled')),
      user_code text,
      verification_url text,
      expires_at timestamptz,
      message text,
      claim integer not null default 0,
      claimed_until timestamptz,
      created_at timestamptz not null default clock_timestamp(),
      changed_at timestamptz not null default clock_timestamp()
    );
    create unique index sign_ins_open on sign_ins ((true)) where state in ('asked', 'code');

    alter table imports
      add column source text not null default 'upload' check (source in ('upload', 'local', 'onedrive')),
      add column source_path text,
      add column auto_mode text check (auto_mode in ('manual', 'validate-only', 'full-auto')),
      add column auto_push_at timestamptz,
      add column auto_held text,
      add column summarized boolean not null default false;
    create index imports_of_folders on imports (id) where source <> 'upload' and status = 'processing';
    create index imports_auto on imports (auto_push_at, id)
      where auto_mode = 'full-auto' and auto_held is null and push_run = 0 and status in ('processed', 'queued');
    create index imports_to_summarize on imports (source, created_at) where source <> 'upload' and not summarized;
    create index imports_of_paths on imports (source, source_path) where source <> 'upload';
    alter table runs
      add column automatic boolean not null default false,
      add column auto_retry_stopped boolean not null default false;
    create table pushed_layouts (
      fingerprint text primary key,
      pushed_at timestamptz not null default clock_timestamp(),
      products_max integer not null default 0,
      currencies text[] not null default '{}'
    );
  `.execute(db);
}
