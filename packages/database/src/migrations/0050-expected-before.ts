import { type Kysely, sql } from 'kysely';

/** What a product was expected to be when a push overwrote what others had changed, so that its undo can ask again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pushed_states add column expected_before json`.execute(db);
}
