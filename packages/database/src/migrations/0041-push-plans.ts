import { type Kysely, sql } from 'kysely';

/**
 * Plans of pushes: what a push would do with each product, and the products of the store that it was decided by. Lines
 * have no foreign key: a plan of a million lines is removed in parts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table plans (
      id bigint generated always as identity primary key,
      import_id uuid not null references imports on delete cascade,
      rows_run integer not null,
      shop text,
      made_from json not null,
      last_edit bigint not null,
      store json,
      copied_at timestamptz,
      sums json not null default '{}',
      points integer not null default 0,
      started_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz,
      problem text,
      replaced_at timestamptz,
      push_run integer,
      compared json
    );
    create unique index plan_of_import on plans (import_id) where replaced_at is null;
    create index plans_of_import on plans (import_id);

    create table plan_lines (
      plan bigint not null,
      product integer not null,
      outcome text not null,
      code text,
      message text,
      parts text,
      store_product_id text,
      basis text,
      draft_hash text,
      otherwise text,
      primary key (plan, product)
    );
    create index plan_lines_by_outcome on plan_lines (plan, outcome, code, product);
    create index plan_lines_otherwise on plan_lines (plan, product) where otherwise is not null;

    create table plan_live (
      plan bigint not null,
      product integer not null,
      live json not null,
      primary key (plan, product)
    );
  `.execute(db);
}
