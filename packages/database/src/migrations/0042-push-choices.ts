import { type Kysely, sql } from 'kysely';

/**
 * What operators decided about products that a push would skip, each for the state it was made about. Lines of a plan
 * say what is to be decided. `kept`: values that drift is measured against, of parts that a write has left as they
 * were changed in the store.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table push_choices (
      shop text not null,
      our_id text not null,
      about text not null,
      basis text not null,
      choice text not null,
      import_id uuid not null,
      created_at timestamptz not null default clock_timestamp(),
      primary key (shop, our_id, about)
    );

    alter table plans add column decisions json not null default '{}';
    alter table plan_lines add column our_id text, add column about text, add column choices text,
      add column choice text;
    -- No line has it yet.
    -- squawk-ignore require-concurrent-index-creation
    create index plan_lines_to_decide on plan_lines (plan, about, choice, product) where about is not null;

    alter table listings add column kept json, add column sending_kept json;
  `.execute(db);
}
