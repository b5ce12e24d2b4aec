import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/**
 * Holds the rows of an import for this transaction: whoever changes them, or what is counted of them, does so one after
 * the other. Edits take it before the import's own lock, so that nobody waits for an edit that waits for its turn; the
 * batches of finalize take nothing but it, so that a pause or a cancel never waits for them.
 */
export async function lockRows(db: Db, importId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('draftshelf rows'), hashtext(${importId}))`.execute(db);
}
