import { type Kysely, sql } from 'kysely';

/**
 * An AI service and what it is asked: one row of settings, limits and state; each call with its tokens, reserved before
 * it is made and corrected after it; answers by the content that was sent; and what of each import is asked.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ai_service (
      singleton boolean primary key default true check (singleton),
      base_url text,
      model text,
      enabled boolean not null default true,
      structure text check (structure in ('schema', 'object', 'text')),
      token_parameter text check (token_parameter in ('max_tokens', 'max_completion_tokens')),
      manner_of text,
      malformed integer not null default 0,
      price_in double precision,
      price_out double precision,
      currency text,
      requests_per_minute integer not null default 30,
      tokens_per_day bigint not null default 1000000,
      cost_per_day double precision,
      import_requests integer not null default 500,
      import_tokens bigint not null default 500000,
      import_cost double precision,
      parallel integer not null default 2,
      timeout_ms integer not null default 60000,
      language text,
      tone text,
      blocked_until timestamptz,
      blocked_because text,
      trouble text,
      failures integer not null default 0,
      admitted_at timestamptz not null default clock_timestamp(),
      changed_at timestamptz not null default clock_timestamp()
    );
    insert into ai_service default values;

    create table ai_calls (
      id bigint primary key generated always as identity,
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

    create table ai_answers (
      hash bytea primary key,
      answer json not null,
      made_at timestamptz not null default clock_timestamp(),
      used_at timestamptz not null default clock_timestamp()
    );
    create index ai_answers_used on ai_answers (used_at);

    create table ai_imports (
      import_id uuid primary key references imports on delete cascade,
      run integer not null,
      fields text[] not null,
      state text not null check (state in ('asking', 'stopped', 'done')),
      reason text,
      collect_after integer,
      types json not null,
      vendors json not null,
      batch integer not null default 5,
      good integer not null default 0,
      proposals integer not null default 0,
      refused json not null default '{}',
      begun_at timestamptz not null default clock_timestamp()
    );

    create table ai_asks (
      import_id uuid not null references imports on delete cascade,
      byte_from bigint not null,
      row integer not null,
      fields text[] not null,
      sent json,
      hash bytea not null,
      state text not null default 'wanted' check (state in ('wanted', 'asking', 'answered', 'refused', 'failed')),
      call bigint,
      attempts integer not null default 0,
      refusals integer not null default 0,
      not_before timestamptz,
      asked_at timestamptz,
      error text,
      primary key (import_id, byte_from)
    );
    create index ai_asks_open on ai_asks (import_id, row) where state = 'wanted';
    create index ai_asks_running on ai_asks (hash) where state = 'asking';
  `.execute(db);
}
