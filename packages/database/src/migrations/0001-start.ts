import { type Kysely, sql } from 'kysely';

/**
 * The first schema. Statuses are text with a check, so that a later migration can add one without a rewrite.
 *
 * rows, row_facets, row_bitmaps, row_search, row_findings and row_joins have no foreign key to their import: one made
 * COPY take 2.4 times as long. Rows of deleted imports are removed in the background (orphan-rows.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create sequence import_version;

    create table imports (
      id uuid primary key default gen_random_uuid(),
      version bigint not null default nextval('import_version'),
      filename text not null,
      file_bytes bigint not null,
      sha256 text not null,
      object_key text not null unique,
      same_as uuid,
      status text not null check (status in
        ('processing','queued','processed','uploading','completed','failed','paused','cancelled')),
      failed_in text check (failed_in in ('parse','enrich','push')),
      paused_from text check (paused_from in ('processing','uploading')),
      paused_by text check (paused_by in ('operator','store')),
      resume_at timestamptz,
      test_mode boolean not null,
      enable_upc boolean not null,
      enable_ai boolean not null,
      currency text not null default 'CAD',
      shop text,
      stage text not null default 'parse' check (stage in ('parse','enrich','push')),
      parse_run integer not null default 1,
      enrich_run integer not null default 0,
      push_run integer not null default 0,
      rows_run integer not null default 1,
      open_chunks integer not null check (open_chunks >= 0),
      total_rows integer not null,
      total_products integer not null,
      product_numbers integer not null,
      offsets_in text,
      edits_without_row integer not null default 0,
      parsed_rows integer not null default 0,
      processed_products integer not null default 0,
      valid_products integer not null default 0,
      warning_products integer not null default 0,
      error_products integer not null default 0,
      enrich_rows integer not null default 0,
      enriched_rows integer not null default 0,
      push_total integer not null default 0,
      push_done integer not null default 0,
      created integer not null default 0,
      updated integer not null default 0,
      unchanged integer not null default 0,
      skipped integer not null default 0,
      failed integer not null default 0,
      marked_ready boolean not null default false,
      waiting_for text,
      waiting_until timestamptz,
      error_message text,
      error_log text[] not null default '{}',
      error_count integer not null default 0,
      created_at timestamptz not null default now(),
      started_at timestamptz,
      completed_at timestamptz
    );
    create index imports_newest on imports (created_at desc, id);
    create index imports_same on imports (sha256, created_at desc);
    create index imports_under_way on imports (status) where status not in ('completed','failed','cancelled');
    create index imports_newest_open on imports (created_at desc, id)
      where status not in ('completed','failed','cancelled');
    create index imports_newest_ended on imports (created_at desc, id)
      where status in ('completed','failed','cancelled');

    create table runs (
      import_id uuid not null references imports on delete cascade,
      stage text not null,
      run integer not null,
      kind text not null default 'full' check (kind in ('full','reread','retry')),
      options json,
      dialect json,
      headers json,
      mapping json,
      mapping_overrides json,
      snapshot json,
      finalize json,
      searchable boolean not null default false,
      started_at timestamptz not null default now(),
      ended_at timestamptz,
      primary key (import_id, stage, run)
    );

    create table chunks (
      id bigint generated always as identity primary key,
      import_id uuid not null references imports on delete cascade,
      stage text not null,
      run integer not null,
      kind text not null check (kind in ('work','split','finalize','task')),
      task text check ((task is null) = (kind <> 'task')),
      sequence integer not null,
      state text not null default 'pending' check (state in ('pending','published','done','dead','dropped')),
      publication integer not null default 1,
      priority integer,
      byte_from bigint,
      byte_to bigint,
      first_line integer,
      first_row integer,
      rows integer,
      first_product integer,
      products integer,
      done integer not null default 0,
      total integer,
      not_before timestamptz,
      waiting_for text,
      waits integer not null default 0,
      attempts integer not null default 0,
      claims integer not null default 0,
      claim_pid integer,
      claim_backend_start timestamptz,
      error text,
      ended_at timestamptz
    );
    create unique index chunks_one_finalize on chunks (import_id, stage, run) where kind = 'finalize';
    create index chunks_of_run on chunks (import_id, stage, run, sequence);
    create index chunks_pending on chunks (stage, import_id, sequence) where state = 'pending' and kind <> 'task';
    create index chunks_pending_tasks on chunks (stage, publication, id) where state = 'pending' and kind = 'task';
    create index chunks_tasks on chunks (import_id) where kind = 'task';
    create index chunks_published on chunks (stage) where state = 'published';

    create table rows (
      import_id uuid not null,
      run integer not null,
      row integer not null,
      line integer not null,
      product integer not null,
      byte_from bigint not null,
      issues bigint not null default 0,
      class text not null,
      joined boolean not null default false,
      enrichable boolean not null,
      ignored text,
      title text,
      price text,
      sku text,
      gtin text,
      vendor text,
      image text,
      group_key text,
      cells json not null,
      cells_as_read json,
      own_id text,
      primary key (import_id, run, row)
    );
    create index rows_joined on rows (import_id, run, product) where joined;
    create index rows_enrichable on rows (import_id, run, row) where enrichable;
    create index rows_own_id on rows (import_id, run, row) where own_id is not null;

    create table row_facets (
      import_id uuid not null,
      run integer not null,
      class text not null check (class in ('valid','warning','error','ignored')),
      issue text not null,
      rows integer not null,
      primary key (import_id, run, class, issue)
    );

    create table row_bitmaps (
      import_id uuid not null,
      run integer not null,
      class text not null check (class in ('valid','warning','error','ignored')),
      issue text not null,
      block integer not null,
      rows bit(1024) not null,
      primary key (import_id, run, issue, block, class)
    );

    create table row_search (
      import_id uuid not null,
      run integer not null,
      row integer not null,
      text text collate "C" not null,
      primary key (import_id, run, row)
    );

    create table row_findings (
      import_id uuid not null,
      run integer not null,
      row integer not null,
      code text not null,
      field text not null,
      first_row integer not null,
      primary key (import_id, run, row, code, field)
    );

    create table row_joins (
      import_id uuid not null,
      run integer not null,
      row integer not null,
      product integer not null,
      primary key (import_id, run, row)
    );
    create index row_joins_of_product on row_joins (import_id, run, product);

    create table found_values (
      import_id uuid not null references imports on delete cascade,
      run integer not null,
      row integer not null,
      field text not null,
      value text not null,
      source text not null,
      found_at timestamptz not null default now(),
      primary key (import_id, run, row, field)
    );

    create table edit_commands (
      import_id uuid not null references imports on delete cascade,
      id uuid not null default gen_random_uuid(),
      kind text not null,
      rows integer not null,
      state text not null default 'applied' check (state in ('applied','undone')),
      undoes uuid,
      created_at timestamptz not null default clock_timestamp(),
      primary key (import_id, id),
      foreign key (import_id, undoes) references edit_commands
    );

    create table edits (
      id bigint generated always as identity primary key,
      import_id uuid not null references imports on delete cascade,
      command uuid not null,
      row integer not null,
      byte_from bigint not null,
      field text not null,
      before text,
      after text,
      edited_at timestamptz not null default clock_timestamp(),
      foreign key (import_id, command) references edit_commands
    );
    create index edits_of_command on edits (import_id, command);
    create index edits_of_row on edits (import_id, byte_from, field, id desc);

    create table listings (
      shop text not null,
      our_id text not null,
      store_product_id text,
      handle text,
      sent json,
      sent_hash text,
      baseline json,
      sending json,
      sending_hash text,
      sending_chunk bigint,
      pushed_at timestamptz,
      primary key (shop, our_id)
    );

    create table outcomes (
      import_id uuid not null references imports on delete cascade,
      rows_run integer not null,
      product integer not null,
      run integer not null,
      our_id text not null,
      outcome text not null check (outcome in ('created','updated','unchanged','skipped','failed')),
      code text,
      message text,
      store_product_id text,
      decided_at timestamptz not null default clock_timestamp(),
      primary key (import_id, rows_run, product)
    );
    create index outcomes_of_id on outcomes (import_id, our_id);
    create index outcomes_missed on outcomes (import_id, rows_run, product) where outcome in ('skipped','failed');

    create table ledger (
      id bigint generated always as identity primary key,
      origin text not null check (origin in ('push','undo','scanner','call')),
      shop text not null,
      our_id text not null,
      import_id uuid,
      product integer,
      run integer,
      effect text not null,
      store_product_id text,
      payload_hash text,
      cause text,
      recorded_at timestamptz not null default clock_timestamp(),
      check (origin <> 'push' or num_nulls(import_id, product, run) = 0)
    );
    create index ledger_of_product on ledger (shop, our_id, id);
    create index ledger_of_import on ledger (import_id, product, id);

    create table store_budgets (
      shop text primary key,
      available double precision not null,
      maximum double precision not null,
      restore_rate double precision not null,
      admitted double precision not null default 0,
      measured_at timestamptz not null default clock_timestamp()
    );

    create table processes (
      id uuid primary key,
      kind text not null,
      version text not null,
      host text not null,
      pid integer not null,
      slots integer not null check (slots >= 0),
      started_at timestamptz not null default clock_timestamp(),
      seen_at timestamptz not null default clock_timestamp(),
      swept_at timestamptz
    );

    create table mappings (
      fingerprint text primary key,
      headers text[] not null,
      columns json not null,
      filename text not null,
      created_at timestamptz not null default now(),
      used_at timestamptz,
      uses integer not null default 0
    );

    create table settings (
      singleton boolean primary key default true check (singleton),
      value jsonb not null
    );

    create table sessions (
      id text primary key,
      key_fingerprint text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    );

    create table login_failures (
      address text not null,
      failed_at timestamptz not null default now()
    );
    create index login_failures_of_address on login_failures (address, failed_at);
  `.execute(db);
  await createTrigramIndex(db);
}

/**
 * Both extensions are trusted since Postgres 13, so the owner of a database may create them. Where they are refused or
 * not installed, a search reads the narrow table instead, and the parse worker logs it. The import is the second
 * column: GIN checks its columns in order, and so checks the import only where the trigrams match (a third fewer
 * pages).
 */
async function createTrigramIndex(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    begin
      create extension if not exists pg_trgm;
      create extension if not exists btree_gin;
      create index row_search_trigrams on row_search using gin (text gin_trgm_ops, import_id);
    exception
      when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
        raise notice 'There is no trigram index: %', sqlerrm;
    end
    $$`.execute(db);
}
