import { type Kysely, sql } from 'kysely';

/** Which edits decided a proposal, so that undoing them reopens it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table proposals add column taken_by uuid, add column passed_over_by uuid;
  `.execute(db);
}
