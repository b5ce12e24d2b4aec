import { type Kysely, sql } from 'kysely';

/** What pushes store beyond the first schema. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table listings
      add column sending_until timestamptz,
      add column source json,
      add column sending_source json;

    alter table runs add column draft_mode boolean;

    alter table imports
      add column store_refuses_since timestamptz,
      add column store_pauses integer not null default 0;

    create table pushed_states (
      id bigint generated always as identity primary key,
      shop text not null,
      our_id text not null,
      import_id uuid,
      run integer,
      before json,
      after json,
      written_at timestamptz not null default clock_timestamp(),
      undone_at timestamptz
    );
    create index pushed_states_of_product on pushed_states (shop, our_id, id);
    create index pushed_states_of_import on pushed_states (import_id, run);
    create index pushed_states_unread on pushed_states (shop, our_id) where after is null;
  `.execute(db);
}
