import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryValue } from '../connection/query-rows.ts';

/**
 * Locks the rows of an import and their counts for this transaction. Edits take this lock before the import's own, so
 * that no transaction waits for an edit that is itself waiting. Batches of finalize take only this lock: a pause or
 * cancel never waits for them.
 */
export async function lockRows(db: Db, importId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${keyOf(importId)})`.execute(db);
}

/** Locks the rows unless another transaction has, for callers that already hold a later lock. */
export const tryLockRows = (db: Db, importId: string) =>
  queryValue<boolean>(db)`
    select pg_try_advisory_xact_lock(${keyOf(importId)}) as locked`;

const keyOf = (importId: string) => sql`hashtext('draftshelf rows'), hashtext(${importId})`;
