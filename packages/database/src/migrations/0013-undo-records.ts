import { type Kysely, sql } from 'kysely';

/**
 * What an undo of a push needs beyond the products before and after our writes. Writes recorded before this have no
 * `kind`: nobody can tell any more whether they created their product.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table listings
      add column sending_kind text check (sending_kind in ('create','update')),
      add column sending_before json,
      add column sending_at timestamptz,
      add column state_id bigint,
      add column baseline_read_at timestamptz;

    alter table pushed_states
      add column kind text check (kind in ('create','update')),
      add column begun_at timestamptz,
      add column after_read_at timestamptz,
      add column sent_before json,
      add column sent_hash_before text,
      add column source_before json;

    drop index pushed_states_unread;
  `.execute(db);
}
