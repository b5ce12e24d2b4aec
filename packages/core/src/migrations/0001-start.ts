import { type Kysely, sql } from 'kysely';

/** Tables that are written once per row of a file, and seldom changed. */
const large =
  'autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_analyze_scale_factor = 0.05';
/** Tables whose rows are changed often. */
const often = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000';

/** The schema of version 0.11. What is `not valid` was added to tables with rows. */
const tables = `
  create sequence import_version;
  create table imports (
    id uuid default gen_random_uuid() primary key,
    version bigint default nextval('import_version') not null,
    filename text not null,
    file_bytes bigint not null,
    sha256 text not null,
    object_key text not null unique,
    same_as uuid,
    status text not null
      check (status in ('processing', 'queued', 'processed', 'uploading', 'completed', 'failed', 'paused', 'cancelled')),
    failed_in text check (failed_in in ('parse', 'enrich', 'push')),
    paused_from text check (paused_from in ('processing', 'uploading')),
    paused_by text check (paused_by in ('operator', 'store')),
    resume_at timestamptz,
    test_mode boolean not null,
    enable_upc boolean not null,
    enable_ai boolean not null,
    currency text default 'CAD' not null,
    shop text,
    stage text default 'parse' not null check (stage in ('parse', 'enrich', 'push')),
    parse_run integer default 1 not null,
    enrich_run integer default 0 not null,
    push_run integer default 0 not null,
    rows_run integer default 1 not null,
    open_chunks integer not null check (open_chunks >= 0),
    total_rows integer not null,
    total_products integer not null,
    product_numbers integer not null,
    offsets_in text,
    edits_without_row integer default 0 not null,
    parsed_rows integer default 0 not null,
    processed_products integer default 0 not null,
    valid_products integer default 0 not null,
    warning_products integer default 0 not null,
    error_products integer default 0 not null,
    enrich_rows integer default 0 not null,
    enriched_rows integer default 0 not null,
    push_total integer default 0 not null,
    push_done integer default 0 not null,
    created integer default 0 not null,
    updated integer default 0 not null,
    unchanged integer default 0 not null,
    skipped integer default 0 not null,
    failed integer default 0 not null,
    marked_ready boolean default false not null,
    waiting_for text,
    waiting_until timestamptz,
    error_message text,
    error_log text[] default '{}' not null,
    error_count integer default 0 not null,
    created_at timestamptz default now() not null,
    started_at timestamptz,
    completed_at timestamptz,
    store_refuses_since timestamptz,
    store_pauses integer default 0 not null,
    in_store integer default 0 not null,
    found_since_push integer default 0 not null,
    starts integer default 0 not null,
    paused_at timestamptz,
    price_answer text check (price_answer in ('send', 'hold')),
    price_answer_run integer,
    source text default 'upload' not null check (source in ('upload', 'local', 'onedrive')),
    source_path text,
    auto_mode text check (auto_mode in ('manual', 'validate-only', 'full-auto')),
    auto_push_at timestamptz,
    auto_held text,
    summarized boolean default false not null,
    rows_removed_at timestamptz,
    file_removed_at timestamptz,
    deletion_began_at timestamptz,
    undoes_run integer,
    same_filename text,
    supplier integer,
    supplier_by text,
    asked_supplier integer,
    asked_known integer,
    asked_sampled integer,
    file_at timestamptz,
    edits_kept_to bigint default 0 not null,
    proposals_kept_to timestamptz,
    pictures integer default 0 not null
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
  create index imports_auto on imports (auto_push_at, id)
    where ((auto_mode = 'full-auto') and (auto_held is null) and (push_run = 0) and (status in ('processed', 'queued')));
  create index imports_latest_ended on imports (completed_at desc, id)
    where (status in ('completed', 'failed', 'cancelled'));
  create index imports_newest on imports (created_at desc, id);
  create index imports_newest_ended on imports (created_at desc, id)
    where (status in ('completed', 'failed', 'cancelled'));
  create index imports_newest_open on imports (created_at desc, id)
    where (status not in ('completed', 'failed', 'cancelled'));
  create index imports_of_folders on imports (id) where ((source <> 'upload') and (status = 'processing'));
  create index imports_of_paths on imports (source, source_path) where (source <> 'upload');
  create index imports_same on imports (sha256, created_at desc);
  create index imports_to_summarize on imports (source, created_at) where ((source <> 'upload') and not summarized);
  create index imports_under_way on imports (status) where (status not in ('completed', 'failed', 'cancelled'));

  create table activity (
    id bigint generated always as identity primary key,
    type text not null check (type in ('completed', 'processing', 'error', 'other')),
    message text not null,
    import_id uuid references imports on delete set null,
    created_at timestamptz default clock_timestamp() not null
  );

  create table added_rows (
    import_id uuid references imports on delete cascade,
    product_id uuid,
    ordinal integer not null check (ordinal > 0),
    own_id text not null,
    values jsonb not null,
    version integer not null,
    photos text[] default '{}' not null,
    added_at timestamptz default clock_timestamp() not null,
    taken_at timestamptz default clock_timestamp() not null,
    primary key (import_id, product_id),
    constraint added_rows_import_id_ordinal_key unique (import_id, ordinal)
  );
  create index added_rows_of_product on added_rows (product_id, added_at desc);
  create index added_rows_photos on added_rows using gin (photos);

  create table ai_answers (
    hash bytea primary key,
    answer json not null,
    made_at timestamptz default clock_timestamp() not null,
    used_at timestamptz default clock_timestamp() not null
  );
  create index ai_answers_used on ai_answers (used_at);

  create table ai_asks (
    import_id uuid references imports on delete cascade,
    byte_from bigint,
    row integer not null,
    fields text[] not null,
    sent json,
    hash bytea not null,
    state text default 'wanted' not null check (state in ('wanted', 'asking', 'answered', 'refused', 'failed')),
    call bigint,
    attempts integer default 0 not null,
    refusals integer default 0 not null,
    not_before timestamptz,
    asked_at timestamptz,
    error text,
    outdated boolean default false not null,
    primary key (import_id, byte_from)
  );
  create index ai_asks_open on ai_asks (import_id, "row") where (state = 'wanted');
  create index ai_asks_running on ai_asks (hash) where (state = 'asking');

  create table ai_calls (
    id bigint generated always as identity primary key,
    import_id uuid references imports on delete set null,
    products integer not null,
    reserved_in integer not null,
    reserved_out integer not null,
    used_in integer,
    used_out integer,
    cost double precision,
    outcome text check (outcome in ('ok', 'declined', 'malformed', 'cut', 'failed', 'lost')),
    counts_from timestamptz not null,
    ended_at timestamptz
  );
  create index ai_calls_counted on ai_calls (counts_from);
  create index ai_calls_of_import on ai_calls (import_id);

  create table ai_imports (
    import_id uuid references imports on delete cascade primary key,
    run integer not null,
    fields text[] not null,
    state text not null check (state in ('asking', 'stopped', 'done')),
    reason text,
    collect_after integer,
    types json not null,
    vendors json not null,
    batch integer default 5 not null,
    good integer default 0 not null,
    proposals integer default 0 not null,
    refused json default '{}' not null,
    begun_at timestamptz default clock_timestamp() not null,
    target text default '' not null
  );

  create table ai_service (
    singleton boolean default true check (singleton) primary key,
    base_url text,
    model text,
    enabled boolean default true not null,
    structure text check (structure in ('schema', 'object', 'text')),
    token_parameter text check (token_parameter in ('max_tokens', 'max_completion_tokens')),
    manner_of text,
    malformed integer default 0 not null,
    price_in double precision,
    price_out double precision,
    currency text,
    requests_per_minute integer default 30 not null,
    tokens_per_day bigint default 1000000 not null,
    cost_per_day double precision,
    import_requests integer default 500 not null,
    import_tokens bigint default 500000 not null,
    import_cost double precision,
    parallel integer default 2 not null,
    timeout_ms integer default 60000 not null,
    language text,
    tone text,
    blocked_until timestamptz,
    blocked_because text,
    trouble text,
    failures integer default 0 not null,
    admitted_at timestamptz default clock_timestamp() not null,
    changed_at timestamptz default clock_timestamp() not null,
    version integer default 0 not null
  );

  create table audits (
    id bigint generated always as identity primary key,
    started_at timestamptz default clock_timestamp() not null,
    ended_at timestamptz,
    "position" json not null,
    imports integer default 0 not null,
    products bigint default 0 not null,
    listings bigint default 0 not null,
    difference_count integer default 0 not null,
    differences json not null,
    problem text
  );
  create unique index audits_one_open on audits (((ended_at is null))) where (ended_at is null);

  create table backups (
    taken_at timestamptz default clock_timestamp() not null,
    directory text not null,
    bytes bigint,
    removed_at timestamptz,
    checked_at timestamptz,
    check_result json
  );

  create table suppliers (
    id integer generated always as identity primary key,
    name text not null,
    named_by_operator boolean default false not null,
    currencies text[] default '{}' not null,
    products_max integer,
    updates_agreed_at timestamptz,
    stock_choice text check (stock_choice in ('use-ours', 'skip')),
    last_number integer default 0 not null,
    created_at timestamptz default clock_timestamp() not null,
    sends_complete boolean,
    gone_after integer default 2 not null check ((gone_after >= 1) and (gone_after <= 10)),
    when_gone text default 'nothing' not null check (when_gone in ('nothing', 'quantity', 'draft', 'archive', 'tag')),
    leaves_since timestamptz,
    merging_into integer,
    first_number integer default 0 not null,
    merged json,
    guard_cost double precision,
    guard_column text,
    guard_change integer
  );
  create unique index suppliers_name on suppliers (lower(name));

  create table carried_values (
    supplier integer references suppliers on delete cascade,
    subject text,
    field text,
    kind text not null check (kind in ('value', 'left out', 'dismissed')),
    value text,
    said_of text,
    source text,
    said_at timestamptz not null,
    said_in text not null,
    import_id uuid not null,
    settled_in uuid,
    primary key (supplier, subject, field)
  );

  create table category_rules (
    id uuid primary key,
    "position" integer not null,
    name text not null,
    rule json not null,
    enabled boolean not null,
    changed_at timestamptz default now() not null
  );

  create table change_bitmaps (
    import_id uuid,
    run integer,
    change text,
    block integer,
    rows bit(1024) not null,
    primary key (import_id, run, change, block)
  );

  create table chunks (
    id bigint generated always as identity primary key,
    import_id uuid not null references imports on delete cascade,
    stage text not null,
    run integer not null,
    kind text not null check (kind in ('work', 'split', 'finalize', 'task')),
    task text,
    sequence integer not null,
    state text default 'pending' not null check (state in ('pending', 'published', 'done', 'dead', 'dropped')),
    publication integer default 1 not null,
    priority integer,
    byte_from bigint,
    byte_to bigint,
    first_line integer,
    first_row integer,
    rows integer,
    first_product integer,
    products integer,
    done integer default 0 not null,
    "total" integer,
    not_before timestamptz,
    waiting_for text,
    waits integer default 0 not null,
    attempts integer default 0 not null,
    claims integer default 0 not null,
    claim_pid integer,
    claim_backend_start timestamptz,
    error text,
    ended_at timestamptz,
    deferred_at timestamptz,
    command uuid,
    claims_with_progress integer default 0 not null,
    constraint chunks_check check (((task is null) = (kind <> 'task')))
  ) with (${often});
  create index chunks_dead on chunks (id) where (state = 'dead');
  create index chunks_ended on chunks (import_id, ended_at) where (ended_at is not null);
  create index chunks_ended_push on chunks (ended_at)
    where ((stage = 'push') and (kind = 'work') and (state in ('done', 'dropped')));
  create index chunks_of_run on chunks (import_id, stage, run, sequence);
  create unique index chunks_one_finalize on chunks (import_id, stage, run) where (kind = 'finalize');
  create index chunks_pending on chunks (stage, import_id, sequence) where ((state = 'pending') and (kind <> 'task'));
  create index chunks_pending_tasks on chunks (stage, publication, id) where ((state = 'pending') and (kind = 'task'));
  create index chunks_published on chunks (stage) where (state = 'published');
  create index chunks_tasks on chunks (import_id) where (kind = 'task');

  create table edit_commands (
    import_id uuid references imports on delete cascade,
    id uuid default gen_random_uuid(),
    kind text not null,
    rows integer not null,
    state text default 'applied' not null check (state in ('applied', 'undone', 'applying', 'undoing')),
    undoes uuid,
    created_at timestamptz default clock_timestamp() not null,
    author text,
    operations json,
    target json,
    since_edit bigint,
    edits integer,
    left_cells json,
    progress json,
    ended_at timestamptz,
    carried json,
    copied json,
    steps json,
    left_rows json,
    constraint edit_commands_import_id_undoes_fkey foreign key (import_id, undoes)
      references edit_commands(import_id, id),
    primary key (import_id, id)
  );
  create index edit_commands_listed on edit_commands (import_id, created_at desc, id desc);
  create index edit_commands_undone on edit_commands (import_id, undoes) where (undoes is not null);

  create table command_findings (
    import_id uuid,
    run integer,
    command uuid,
    row integer not null,
    field text,
    first_row integer,
    constraint command_findings_import_id_command_fkey foreign key (import_id, command)
      references edit_commands(import_id, id) on delete cascade,
    primary key (import_id, run, command, "row", field)
  );

  create table command_step_targets (
    import_id uuid,
    run integer,
    command uuid,
    step integer,
    block integer,
    rows bit(1024) not null,
    constraint command_step_targets_import_id_command_fkey foreign key (import_id, command)
      references edit_commands(import_id, id) on delete cascade,
    primary key (import_id, run, command, step, block)
  );

  create table command_targets (
    import_id uuid,
    run integer,
    command uuid,
    block integer,
    rows bit(1024) not null,
    constraint command_targets_import_id_command_fkey foreign key (import_id, command)
      references edit_commands(import_id, id) on delete cascade,
    primary key (import_id, run, command, block)
  );

  create table condition_watch (
    singleton boolean default true check (singleton) primary key,
    process uuid not null,
    at timestamptz default clock_timestamp() not null
  );

  create table conditions (
    id text primary key,
    seen_since timestamptz,
    began_at timestamptz,
    ended_at timestamptz,
    detail text,
    told boolean default false not null
  );

  create table corrections (
    id uuid default gen_random_uuid() primary key,
    import_id uuid not null references imports on delete cascade,
    run integer not null,
    filename text not null,
    object_key text,
    source json not null,
    state text default 'comparing' not null check (state in ('comparing', 'compared', 'applied')),
    at json,
    counts json not null,
    since_edit bigint not null,
    command uuid,
    created_at timestamptz default clock_timestamp() not null
  );
  create index corrections_of_command on corrections (command) where (command is not null);
  create index corrections_of_import on corrections (import_id);

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
  create index correction_cells_of_line on correction_cells (corrections, line);
  create index correction_cells_of_row on correction_cells (corrections, "row");

  create table correction_rows (
    import_id uuid not null references imports on delete cascade,
    corrections uuid references corrections on delete cascade,
    byte_from bigint,
    hash text not null,
    is_ambiguous boolean default false not null,
    primary key (corrections, byte_from)
  );
  create index correction_rows_of_import on correction_rows (import_id);

  create table count_offsets (
    singleton boolean default true check (singleton) primary key,
    files_processed bigint default 0 not null,
    products_created bigint default 0 not null,
    errors bigint default 0 not null,
    products_undone bigint default 0 not null
  );

  create table credentials (
    version bigint generated always as identity primary key,
    service text not null,
    key_id text not null,
    sealed bytea not null,
    shop text,
    origin text not null check (origin in ('operator', 'start')),
    saved_at timestamptz default now() not null,
    replaced_at timestamptz
  );
  create unique index credentials_current on credentials (service) where (replaced_at is null);

  create table deleted_imports (
    id uuid primary key,
    sha256 text not null,
    run integer not null,
    total_rows integer not null,
    scanned_in text not null,
    counted_in text not null,
    deleted_at timestamptz default clock_timestamp() not null
  );
  create index deleted_imports_same on deleted_imports (sha256, total_rows desc, deleted_at desc);

  create table disk_samples (
    hour timestamptz primary key,
    free_bytes bigint not null,
    total_bytes bigint not null
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
    edited_at timestamptz default clock_timestamp() not null,
    source text,
    of_list boolean,
    constraint edits_import_id_command_fkey foreign key (import_id, command) references edit_commands(import_id, id)
  ) with (${often});
  create index edits_in_order on edits (import_id, id);
  create index edits_of_command on edits (import_id, command, id);
  create index edits_of_row on edits (import_id, byte_from, field, id desc);

  create table field_coverage (
    import_id uuid references imports on delete cascade,
    run integer,
    field text,
    products integer default 0 not null,
    filled integer default 0 not null,
    found integer default 0 not null,
    primary key (import_id, run, field)
  );

  create table file_pictures (
    import_id uuid references imports on delete cascade,
    n integer,
    entry text not null,
    place json not null,
    sheet integer,
    line integer,
    photo_id uuid,
    state text default 'waiting' not null check (state in ('waiting', 'stored', 'refused')),
    reason text,
    primary key (import_id, n)
  );
  create index file_pictures_of_photo on file_pictures (photo_id) where (photo_id is not null);

  create table file_tables (
    import_id uuid references imports on delete cascade primary key,
    tables json not null,
    pictures_notice text
  );

  create table found_values (
    import_id uuid references imports on delete cascade,
    run integer,
    row integer not null,
    field text,
    value text not null,
    source text not null,
    found_at timestamptz default now() not null,
    gtin text,
    attribution text,
    primary key (import_id, run, "row", field)
  ) with (${large});

  create table health_counts (
    at timestamptz,
    name text,
    count integer not null,
    primary key (at, name)
  );

  create table hourly_counts (
    hour timestamptz,
    import_id uuid,
    processed_files integer default 0 not null,
    failed_imports integer default 0 not null,
    created integer default 0 not null,
    updated integer default 0 not null,
    unchanged integer default 0 not null,
    skipped integer default 0 not null,
    failed integer default 0 not null,
    undone integer default 0 not null,
    primary key (hour, import_id)
  );

  create table images (
    url_hash bytea primary key,
    url text not null,
    state text not null check (state in ('ok', 'bad', 'unreachable')),
    reason text,
    width integer,
    height integer,
    bytes bigint,
    checked_at timestamptz default now() not null
  );
  create index images_checked on images (checked_at);

  create table kept_places (
    import_id uuid,
    run integer,
    block integer,
    rows integer[] not null,
    lines integer[] not null,
    offsets bigint[] not null,
    own_ids text[],
    primary key (import_id, run, block)
  ) with (${often});

  create table key_claims (
    shop text,
    kind text check (kind in ('sku', 'gtin', 'item', 'product')),
    value text,
    our_id text not null,
    import_id uuid,
    chunk bigint,
    until timestamptz,
    claimed_at timestamptz default clock_timestamp() not null,
    ended_at timestamptz,
    primary key (shop, kind, value)
  );
  create index key_claims_of_import on key_claims (import_id);
  create index key_claims_of_product on key_claims (shop, our_id);

  create table ledger (
    id bigint generated always as identity primary key,
    origin text not null,
    shop text not null,
    our_id text not null,
    import_id uuid,
    product integer,
    run integer,
    effect text not null,
    store_product_id text,
    payload_hash text,
    cause text,
    recorded_at timestamptz default clock_timestamp() not null,
    constraint ledger_check check (((origin <> 'push') or (num_nulls(import_id, product, run) = 0)))
  );
  create index ledger_of_import on ledger (import_id, product, id);
  create index ledger_of_product on ledger (shop, our_id, id);
  create index ledger_skipped on ledger (shop, store_product_id, id)
    where ((effect = 'skipped') and (store_product_id is not null));

  create table list_changes (
    supplier integer,
    list integer,
    key text,
    before json,
    primary key (supplier, list, key)
  );

  create table listings (
    shop text,
    our_id text,
    store_product_id text,
    handle text,
    sent json,
    sent_hash text,
    baseline json,
    sending json,
    sending_hash text,
    sending_chunk bigint,
    pushed_at timestamptz,
    sending_until timestamptz,
    source json,
    sending_source json,
    sending_kind text,
    sending_before json,
    sending_at timestamptz,
    state_id bigint,
    baseline_read_at timestamptz,
    kept json,
    sending_kept json,
    primary key (shop, our_id)
  );
  create index listings_being_sent on listings (sending_chunk) where (sending_chunk is not null);
  create index listings_of_store_product on listings (shop, store_product_id) where (store_product_id is not null);

  create table login_failures (
    address text not null,
    failed_at timestamptz default now() not null
  );
  create index login_failures_by_time on login_failures (failed_at);
  create index login_failures_of_address on login_failures (address, failed_at);

  create table lookups (
    gtin text,
    source text,
    state text not null check (state in ('wanted', 'asking', 'hit', 'miss', 'failed', 'covered')),
    attempts integer default 0 not null,
    not_before timestamptz,
    asked_at timestamptz,
    answered_at timestamptz,
    expires_at timestamptz,
    applied boolean default true not null,
    answer json,
    error text,
    primary key (gtin, source)
  );
  create index lookups_asking on lookups (source, asked_at) where (state = 'asking');
  create index lookups_open on lookups (source, gtin) where (state in ('wanted', 'asking'));
  create index lookups_unapplied on lookups (source, gtin) where not applied;

  create table mappings (
    fingerprint text primary key,
    headers text[] not null,
    columns json not null,
    filename text not null,
    created_at timestamptz default now() not null,
    used_at timestamptz,
    uses integer default 0 not null
  );

  create table missing_items (
    import_id uuid,
    run integer,
    key text,
    primary key (import_id, run, key)
  );

  create table outcomes (
    import_id uuid references imports on delete cascade,
    rows_run integer,
    product integer,
    run integer not null,
    our_id text not null,
    outcome text not null check (outcome in ('created', 'updated', 'unchanged', 'skipped', 'failed')),
    code text,
    message text,
    store_product_id text,
    decided_at timestamptz default clock_timestamp() not null,
    primary key (import_id, rows_run, product)
  ) with (${large});
  create index outcomes_missed on outcomes (import_id, rows_run, product) where (outcome in ('skipped', 'failed'));
  create index outcomes_of_id on outcomes (import_id, our_id);

  create table outside_access (
    singleton boolean default true check (singleton) primary key,
    real_store boolean not null,
    store_url text
  );

  create table picture_matches (
    import_id uuid references imports on delete cascade,
    run integer,
    n integer,
    row integer,
    reason text,
    primary key (import_id, run, n)
  );

  create table plan_lines (
    plan bigint,
    product integer,
    outcome text not null,
    code text,
    message text,
    parts text,
    store_product_id text,
    basis text,
    draft_hash text,
    otherwise text,
    our_id text,
    about text,
    choices text,
    choice text,
    planned_choice text,
    primary key (plan, product)
  );
  create index plan_lines_deviating on plan_lines (((plan + 0)), otherwise, product) where (otherwise is not null);
  create index plan_lines_listed on plan_lines (((plan + 0)), about, choice, outcome, code, product);

  create table plan_live (
    plan bigint,
    product integer,
    live json not null,
    primary key (plan, product)
  );

  create table plans (
    id bigint generated always as identity primary key,
    import_id uuid not null references imports on delete cascade,
    rows_run integer not null,
    shop text,
    made_from json not null,
    last_edit bigint not null,
    store json,
    copied_at timestamptz,
    sums json default '{}' not null,
    points integer default 0 not null,
    started_at timestamptz default clock_timestamp() not null,
    ended_at timestamptz,
    problem text,
    replaced_at timestamptz,
    push_run integer,
    compared json,
    decisions json default '{}' not null,
    work_ms integer default 0 not null,
    edits_until bigint,
    decided_since integer default 0 not null,
    opening_points integer default 0 not null
  );
  create unique index plan_of_import on plans (import_id) where (replaced_at is null);
  create index plans_of_import on plans (import_id);

  create table preferences (
    singleton boolean default true check (singleton) primary key,
    value jsonb not null
  );

  create table preview_lines (
    preview bigint,
    line integer,
    our_id text,
    store_product_id text,
    title text,
    action text,
    code text,
    message text,
    kept json,
    choosable boolean,
    choice text,
    result text,
    result_code text,
    result_message text,
    outcome text,
    parts text,
    draft_hash text,
    basis text,
    about text,
    choices text,
    planned_choice text,
    otherwise text,
    live json,
    items json,
    primary key (preview, line)
  );
  create index preview_lines_by_result on preview_lines (preview, result, result_code, line) where (result is not null);
  create index preview_lines_chosen on preview_lines (preview, line) where ((choice is not null) and (about is null));
  create index preview_lines_deviating on preview_lines (((preview + 0)), otherwise, line)
    where (otherwise is not null);
  create index preview_lines_listed on preview_lines (((preview + 0)), about, choice, outcome, code, line)
    where (outcome is not null);

  create table previews (
    id bigint generated always as identity (sequence name push_undos_id_seq) primary key,
    import_id uuid not null,
    undoes_run integer,
    made_at_run integer,
    shop text,
    when_unsure text,
    "position" bigint,
    "total" integer,
    sums json default '{}' not null,
    choices json default '{}' not null,
    recreated_variants integer default 0 not null,
    points integer default 0 not null,
    started_at timestamptz default clock_timestamp() not null,
    previewed_at timestamptz,
    problem text,
    run integer,
    status_before json,
    results json default '{}' not null,
    ended_at timestamptz,
    replaced_at timestamptz,
    kind text default 'undo' not null,
    rows_run integer,
    made_from json,
    last_edit bigint,
    edits_until bigint,
    store json,
    copied_at timestamptz,
    decisions json default '{}' not null,
    decided_since integer default 0 not null,
    opening_points integer default 0 not null,
    work_ms integer default 0 not null,
    compared json,
    gone json,
    constraint push_undos_when_unsure_check check ((when_unsure in ('keep', 'archive'))),
    constraint push_undos_import_id_fkey foreign key (import_id) references imports(id) on delete cascade
  );
  create unique index preview_of_import on previews (import_id, kind) where (replaced_at is null);
  create index previews_of_import on previews (import_id, run);

  create table processes (
    id uuid primary key,
    kind text not null,
    version text not null,
    host text not null,
    pid integer not null,
    slots integer not null check (slots >= 0),
    started_at timestamptz default clock_timestamp() not null,
    seen_at timestamptz default clock_timestamp() not null,
    swept_at timestamptz,
    tasks text[] default '{}' not null,
    clock_skew_ms integer default 0 not null,
    waiting_for text,
    forms text[] default '{}' not null
  ) with (fillfactor = 50);

  create table product_keys (
    shop text,
    kind text check (kind in ('sku', 'gtin', 'item')),
    value text,
    our_id text,
    import_id uuid,
    supplier integer,
    primary key (shop, kind, value, our_id)
  );
  create index product_keys_of_product on product_keys (shop, our_id);

  create table product_lacks (
    import_id uuid,
    run integer,
    row integer not null,
    gtin text not null,
    fields text[] not null,
    primary key (import_id, run, "row")
  ) with (${large});
  create index product_lacks_of_gtin on product_lacks (gtin);

  create table proposals (
    id bigint generated always as identity primary key,
    import_id uuid not null references imports on delete cascade,
    row integer not null,
    byte_from bigint not null,
    field text not null,
    before text,
    value text not null,
    source text not null,
    gtin text,
    reason text not null,
    attribution text,
    state text default 'open' not null check (state in ('open', 'taken', 'dismissed')),
    found_at timestamptz default now() not null,
    decided_at timestamptz,
    taken_by uuid,
    passed_over_by uuid,
    evidence text,
    group_key text,
    dismissed_by uuid
  );
  create index proposals_counted on proposals (import_id, field, source, id) where (state = 'open');
  create index proposals_grouped on proposals (import_id, group_key, id)
    where ((state = 'open') and (group_key is not null));
  create index proposals_listed on proposals (import_id, id) where (state = 'open');
  create unique index proposals_once on proposals (import_id, byte_from, field, source, md5(value));
  create index proposals_open on proposals (import_id, "row", id) where (state = 'open');
  create unique index proposals_replaced on proposals (import_id, byte_from, field, source)
    where ((state = 'open') and (source in ('rule', 'ai')));

  create table push_choices (
    shop text,
    our_id text,
    about text,
    basis text not null,
    choice text not null,
    import_id uuid not null,
    created_at timestamptz default clock_timestamp() not null,
    primary key (shop, our_id, about)
  );

  create table pushed_layouts (
    fingerprint text primary key,
    pushed_at timestamptz default clock_timestamp() not null,
    products_max integer default 0 not null,
    currencies text[] default '{}' not null
  );

  create table pushed_states (
    id bigint generated always as identity primary key,
    shop text not null,
    our_id text not null,
    import_id uuid,
    run integer,
    before json,
    after json,
    written_at timestamptz default clock_timestamp() not null,
    undone_at timestamptz,
    kind text check (kind in ('create', 'update')),
    begun_at timestamptz,
    after_read_at timestamptz,
    sent_before json,
    sent_hash_before text,
    source_before json,
    expected_before json
  ) with (${often});
  create index pushed_states_of_product on pushed_states (shop, our_id, id);
  create index pushed_states_of_run on pushed_states (import_id, run, id);
  create index pushed_states_undone on pushed_states (import_id, run) where (undone_at is not null);
  create index pushed_states_written on pushed_states (written_at);

  create table row_bitmaps (
    import_id uuid,
    run integer,
    class text check (class in ('valid', 'warning', 'error', 'ignored')),
    issue text,
    block integer,
    rows bit(1024) not null,
    primary key (import_id, run, issue, block, class)
  ) with (${often});

  create table row_facets (
    import_id uuid,
    run integer,
    class text check (class in ('valid', 'warning', 'error', 'ignored')),
    issue text,
    rows integer not null,
    primary key (import_id, run, class, issue)
  );

  create table row_findings (
    import_id uuid,
    run integer,
    row integer not null,
    code text,
    field text,
    first_row integer not null,
    primary key (import_id, run, "row", code, field)
  ) with (${large});

  create table row_items (
    import_id uuid,
    run integer,
    row integer not null,
    item text,
    our_id text,
    change integer not null,
    price_then bigint,
    primary key (import_id, run, "row")
  );

  create table row_joins (
    import_id uuid,
    run integer,
    row integer not null,
    product integer not null,
    primary key (import_id, run, "row")
  );
  create index row_joins_of_product on row_joins (import_id, run, product);

  create table row_matches (
    import_id uuid,
    run integer,
    row integer not null,
    field text not null check (field in ('sku', 'upc')),
    other_import uuid not null,
    marked boolean default false not null,
    found_at timestamptz default now() not null,
    primary key (import_id, run, "row")
  ) with (${large});

  create table row_order_blocks (
    import_id uuid,
    run integer,
    field text,
    block integer,
    rows bytea not null,
    primary key (import_id, run, field, block)
  );
  alter table row_order_blocks alter column rows set storage external;

  create table row_order_keys (
    import_id uuid,
    run integer,
    field text,
    row_from integer,
    rows integer[] not null,
    keys text[] not null,
    primary key (import_id, run, field, row_from)
  );

  create table row_orders (
    import_id uuid,
    run integer,
    field text,
    id uuid,
    rows integer default 0 not null,
    filled integer default 0 not null,
    since_edit bigint default 0 not null,
    sorted_at timestamptz,
    read_rows integer,
    next_edit bigint default 0 not null,
    asked_at timestamptz default clock_timestamp() not null,
    primary key (import_id, run, field)
  );

  create table row_search (
    import_id uuid,
    run integer,
    row integer not null,
    text text collate "C" not null,
    code text collate "C",
    primary key (import_id, run, "row")
  ) with (${large});
  create index row_search_codes on row_search (import_id, run, code) where (code is not null);

  create table row_text_signs (
    import_id uuid,
    run integer,
    row_from integer,
    sign bytea not null,
    primary key (import_id, run, row_from)
  ) with (${often}, autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_analyze_scale_factor = 0.05);

  create table row_texts (
    import_id uuid,
    run integer,
    row_from integer,
    row_to integer not null,
    text text collate "C" not null,
    primary key (import_id, run, row_from)
  ) with (toast_tuple_target = 8160, ${often}, autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_analyze_scale_factor = 0.05);
  alter table row_texts alter column text set storage main;

  create table rows (
    import_id uuid,
    run integer,
    row integer not null,
    line integer not null,
    product integer not null,
    byte_from bigint not null,
    issues bigint default 0 not null,
    class text not null,
    joined boolean default false not null,
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
    item_key text,
    item_hashes bytea,
    item_price bigint,
    item_quantity integer,
    item_gtin bigint,
    primary key (import_id, run, "row")
  ) with (${large});
  create index rows_enrichable on rows (import_id, run, "row") where enrichable;
  create index rows_joined on rows (import_id, run, product) where joined;
  create index rows_own_id on rows (import_id, run, "row") where (own_id is not null);

  create table runs (
    import_id uuid references imports on delete cascade,
    stage text,
    run integer,
    kind text default 'full' not null,
    options json,
    dialect json,
    headers json,
    mapping json,
    mapping_overrides json,
    snapshot json,
    finalize json,
    searchable boolean default false not null,
    started_at timestamptz default now() not null,
    ended_at timestamptz,
    draft_mode boolean,
    when_in_store text check (when_in_store in ('skip', 'update', 'create')),
    shop text,
    auto_retries integer default 0 not null,
    currency text,
    codes_searchable boolean default false not null,
    automatic boolean default false not null,
    auto_retry_stopped boolean default false not null,
    searched_at timestamptz,
    supplier integer,
    supplier_by text,
    supplier_name text,
    is_partial boolean,
    texts_stored boolean default false not null,
    guards json,
    shared_titles json,
    primary key (import_id, stage, run)
  );
  create index runs_searchable on runs (started_at) where searchable;

  create table scanned_products (
    id uuid primary key,
    own_id text generated always as (replace((id)::text, '-'::text, ''::text)) stored not null,
    name text not null,
    description text default '' not null,
    price text not null,
    sku text not null,
    upc text,
    gtin text,
    dimensions jsonb not null,
    weight jsonb not null,
    photos text[] default '{}' not null,
    version integer default 1 not null,
    created_at timestamptz default clock_timestamp() not null,
    arrived_at timestamptz default clock_timestamp() not null,
    changed_at timestamptz default clock_timestamp() not null,
    synced_at timestamptz,
    synced_shop text,
    synced_version integer,
    store_product_id text,
    deleted_at timestamptz
  );
  create index scanned_products_deleted on scanned_products (deleted_at) where (deleted_at is not null);
  create index scanned_products_gtin on scanned_products (gtin) where ((gtin is not null) and (deleted_at is null));
  create index scanned_products_newest on scanned_products (created_at desc, id) where (deleted_at is null);
  create index scanned_products_photos on scanned_products using gin (photos);
  create index scanned_products_sku on scanned_products (lower(sku)) where (deleted_at is null);

  create table security_events (
    id bigint generated always as identity primary key,
    kind text not null,
    at timestamptz default clock_timestamp() not null,
    client text not null,
    request_id text not null,
    detail text,
    import_id uuid
  );

  create table sessions (
    id text primary key,
    key_fingerprint text not null,
    created_at timestamptz default now() not null,
    expires_at timestamptz not null,
    used_at timestamptz default clock_timestamp() not null
  );

  create table settings (
    singleton boolean default true check (singleton) primary key,
    value jsonb not null,
    version integer default 1 not null
  );

  create table shops (
    shop text primary key,
    url text not null,
    currency text
  );

  create table sign_ins (
    id uuid default gen_random_uuid() primary key,
    way text not null check (way in ('code', 'app')),
    state text default 'asked' not null check (state in ('asked', 'code', 'done', 'failed', 'cancelled')),
    user_code text,
    verification_url text,
    expires_at timestamptz,
    message text,
    claim integer default 0 not null,
    claimed_until timestamptz,
    created_at timestamptz default clock_timestamp() not null,
    changed_at timestamptz default clock_timestamp() not null
  );
  create unique index sign_ins_open on sign_ins ((true)) where (state in ('asked', 'code'));

  create table sources (
    name text primary key,
    base_url text not null,
    "position" integer not null,
    enabled boolean not null,
    per_window integer not null check (per_window > 0),
    window_ms integer not null check (window_ms > 0),
    per_day integer not null check (per_day > 0),
    day_ms integer not null check (day_ms > 0),
    retry_ms integer default 900000 not null,
    calls_left integer,
    calls_left_until timestamptz,
    blocked_until timestamptz,
    blocked_because text,
    failures integer default 0 not null,
    changed_at timestamptz default now() not null,
    simulated boolean default false not null,
    admitted_at timestamptz default clock_timestamp() not null
  );

  create table source_calls (
    id bigint generated always as identity primary key,
    source text not null references sources(name) on delete cascade,
    gtin text not null,
    admitted_at timestamptz default clock_timestamp() not null,
    counts_from timestamptz not null
  );
  create index source_calls_recent on source_calls (source, counts_from);

  create table stamp_reads (
    import_id uuid references imports on delete cascade,
    run integer,
    part integer,
    stamps json,
    changed_at timestamptz default clock_timestamp() not null,
    primary key (import_id, run, part)
  );

  create table store_budgets (
    shop text primary key,
    available double precision not null,
    maximum double precision not null,
    restore_rate double precision not null,
    admitted double precision default 0 not null,
    measured_at timestamptz default clock_timestamp() not null
  ) with (fillfactor = 50);

  create table store_products (
    shop text,
    id text,
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
  create index store_products_gtins on store_products using gin (gtins);
  create index store_products_our_id on store_products (shop, our_id) where (our_id is not null);
  create index store_products_skus on store_products using gin (skus);

  create table store_syncs (
    shop text primary key,
    started_at timestamptz default clock_timestamp() not null,
    cursor text,
    synced integer default 0 not null,
    "total" integer,
    changed_at timestamptz default clock_timestamp() not null,
    ended_at timestamptz,
    error text
  );

  create table supplier_items (
    supplier integer references suppliers on delete cascade,
    key text,
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
  create index supplier_items_missed on supplier_items (supplier, missed_since, key) where (missed_since is not null);

  create table supplier_lists (
    supplier integer references suppliers on delete cascade,
    number integer,
    import_id uuid references imports on delete set null,
    filename text not null,
    file_at timestamptz,
    state text default 'open' not null check (state in ('open', 'counted', 'not counted')),
    fields text[] default '{}' not null,
    compared_with integer,
    counts json,
    findings json,
    commands json,
    answers json default '{}' not null,
    began_at timestamptz default clock_timestamp() not null,
    counted_at timestamptz,
    counted_run integer,
    missing_to text,
    sha256 text,
    is_complete boolean,
    gone_acted_at timestamptz,
    primary key (supplier, number)
  );
  create unique index supplier_list_of_import on supplier_lists (import_id);
  create index supplier_lists_counted on supplier_lists (supplier, counted_at desc, number desc)
    where (state = 'counted');

  create table supplier_recipes (
    supplier integer not null references suppliers on delete cascade,
    id uuid default gen_random_uuid() primary key,
    operations json not null,
    target json not null,
    takes json not null,
    asks text default 'ask' not null check (asks in ('ask', 'always', 'never')),
    "position" integer not null,
    rows_last integer not null,
    rows_then integer not null,
    done_in text not null,
    made_in uuid not null,
    made_at timestamptz not null,
    done_at timestamptz not null,
    used_at timestamptz,
    version integer default 1 not null
  );
  create index supplier_recipes_of_supplier on supplier_recipes (supplier, "position");

  create table supplier_signs (
    kind text check (kind in ('layout', 'folder', 'filename', 'vendor', 'gtin-prefix')),
    value text,
    supplier integer references suppliers on delete cascade,
    lists integer default 1 not null,
    last_at timestamptz default clock_timestamp() not null,
    primary key (kind, value, supplier)
  );
  create index supplier_signs_of_supplier on supplier_signs (supplier);

  create table tasks (
    id bigint generated always as identity primary key,
    kind text not null,
    subject text default '' not null,
    due_at timestamptz,
    held_until timestamptz,
    claims integer default 0 not null,
    attempts integer default 0 not null,
    waiting_for text,
    error text,
    changed_at timestamptz default clock_timestamp() not null,
    constraint tasks_kind_subject_key unique (kind, subject)
  );

  create table uploads (
    object_key text primary key,
    database_id text not null,
    sweeps integer default 0 not null,
    swept_at timestamptz default clock_timestamp() not null
  );

  create table watch_sources (
    id uuid default gen_random_uuid() primary key,
    kind text not null check (kind in ('local', 'onedrive')) unique,
    place jsonb,
    place_key text,
    cursor text,
    baseline text default 'asked' not null check (baseline in ('asked', 'ignored', 'taken')),
    state text default 'off' not null check (state in ('off', 'setup', 'ok', 'waiting', 'trouble')),
    trouble text,
    trouble_kind text,
    trouble_cause text,
    trouble_since timestamptz,
    failures integer default 0 not null,
    can_write boolean,
    files integer,
    account text,
    simulated boolean default false not null,
    asked_at timestamptz,
    looked_at timestamptz,
    found_at timestamptz,
    next_look_at timestamptz,
    blocked_until timestamptz,
    look integer default 0 not null,
    look_until timestamptz,
    changed_at timestamptz default clock_timestamp() not null
  );

  create table watched_files (
    id bigint generated always as identity primary key,
    source uuid not null references watch_sources on delete cascade,
    place_key text not null,
    file_key text not null,
    version text not null,
    name text not null,
    bytes bigint not null,
    modified_at timestamptz,
    etag text,
    state text not null
      check (state in ('held', 'settling', 'waiting', 'taking', 'taken', 'same', 'refused', 'ignored', 'failed', 'gone')),
    option text check (option in ('due', 'archived', 'deleted', 'kept', 'left')),
    option_wanted text check (option_wanted in ('archive', 'delete')),
    reason text,
    attempts integer default 0 not null,
    not_before timestamptz,
    claim integer default 0 not null,
    claimed_until timestamptz,
    take_anyway boolean default false not null,
    import_id uuid references imports on delete set null,
    sha256 text,
    new_key text,
    first_seen_at timestamptz default clock_timestamp() not null,
    seen_at timestamptz default clock_timestamp() not null,
    changed_at timestamptz default clock_timestamp() not null,
    summarized boolean default false not null,
    constraint watched_files_source_place_key_file_key_version_key unique (source, place_key, file_key, version)
  );
  create index watched_files_imports on watched_files (import_id) where (import_id is not null);
  create index watched_files_newest on watched_files (source, changed_at desc, id desc);
  create index watched_files_options on watched_files (source, changed_at) where (option = 'due');
  create index watched_files_refused on watched_files (source, id) where ((state = 'refused') and not summarized);
  create index watched_files_seen on watched_files (source, seen_at);
  create index watched_files_states on watched_files (source, state, not_before);

  alter table ledger add constraint ledger_origin_check
      check ((origin in ('push', 'undo', 'scanner', 'call', 'gone'))) not valid;
  alter table listings add constraint listings_sending_kind_check
      check ((sending_kind in ('create', 'update', 'undo'))) not valid;
  alter table previews add constraint previews_kind_check check ((kind in ('push', 'undo', 'gone'))) not valid;
  alter table runs add constraint runs_kind_check
      check ((kind in ('full', 'reread', 'retry', 'undo', 'gone'))) not valid;
`;

const views = `
  create view push_undos as
    select ctid, id, import_id, undoes_run as push_run, made_at_run, shop, when_unsure, position, total, sums, choices,
      recreated_variants, points, started_at, previewed_at, problem, run, status_before, results, ended_at, replaced_at
    from previews where kind = 'undo';
  create view undo_lines as
    select ctid, preview as undo, line, our_id, store_product_id, title, action, code, message, kept, choosable,
      choice, result, result_code, result_message
    from preview_lines where outcome is null;
  create view stage_backlog as
    select chunks.stage,
      count(*) filter (where chunks.kind <> 'task')::int as chunks,
      count(*) filter (where chunks.kind = 'task')::int as tasks
    from chunks join imports on imports.id = chunks.import_id
    where chunks.state in ('pending', 'published')
      and (chunks.not_before is null or chunks.not_before <= clock_timestamp())
      and (chunks.kind = 'task' or (
        imports.status = case chunks.stage when 'push' then 'uploading' else 'processing' end
        and chunks.run = case chunks.stage
          when 'parse' then imports.parse_run when 'enrich' then imports.enrich_run else imports.push_run end))
    group by chunks.stage;
`;

const searchTexts = `
  create function lose_row_texts() returns trigger language plpgsql as $$
    begin
      update runs set texts_stored = false
      where import_id = new.import_id and stage = 'parse' and run = new.run and texts_stored;
      return new;
    end $$;
  create trigger lose_row_texts before insert on row_search for each row execute function lose_row_texts();
  create function settle_row_search(analyzed boolean) returns void
    language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      if to_regclass('row_search_trigrams') is not null then
        perform gin_clean_pending_list('row_search_trigrams');
      end if;
      if analyzed then
        analyze row_search;
      end if;
    end $$;
  do $$
    begin
      create extension if not exists pg_trgm;
      create extension if not exists btree_gin;
      create index row_search_trigrams on row_search using gin (text gin_trgm_ops, import_id);
    exception
      when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
        raise notice 'There is no trigram index: %', sqlerrm;
    end $$;
`;

/** The rows that a new installation begins with. */
const rows = `
  insert into settings (value) values ('{}');
  insert into count_offsets default values;
  insert into ai_service default values;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [tables, views, searchTexts, rows]) await sql.raw(statements).execute(db);
}
