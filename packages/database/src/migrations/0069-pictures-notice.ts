import { type Kysely, sql } from 'kysely';

/**
 * What the operator should know of the pictures of an import's file that were not found, as a sentence. A process of
 * the version before takes no file with pictures.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table file_tables add column pictures_notice text`.execute(db);
}
