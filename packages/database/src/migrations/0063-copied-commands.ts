import { type Kysely, sql } from 'kysely';

/**
 * Edits that are copied from an earlier upload of the same file keep what they were made by: what was done to a whole
 * list is not carried into the next one. And lists keep the hash of their file, by which a file is known that was read
 * before, also if its import was deleted. A process of the version before stores neither.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table edits add column of_list boolean;
    alter table edit_commands add column copied json;
    alter table supplier_lists add column sha256 text;
  `.execute(db);
}
