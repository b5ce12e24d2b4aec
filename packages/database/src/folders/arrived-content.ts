import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/**
 * Waits for other transactions that begin an import of the same content from a folder, and makes them wait until this
 * one ends: two names with the same bytes would not see each other else.
 */
export async function lockContent(db: Db, sha256: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('folder content'), hashtext(${sha256}))`.execute(db);
}

/** The latest import of the same bytes that is neither a test nor cancelled nor failed. */
export async function findArrived(db: Db, sha256: string): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('imports')
    .select('id')
    .where('sha256', '=', sha256)
    .where('test_mode', '=', false)
    .where('status', 'not in', ['cancelled', 'failed'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}
