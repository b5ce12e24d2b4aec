import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryValue } from '../connection/query-rows.ts';

/**
 * Locks the rows of an import and their counts until the end of the transaction. Edits lock the rows before the
 * import, so that no transaction waits for an edit that is itself waiting. Batches of finalize lock only the rows, so
 * that a pause or a cancellation never waits for a batch.
 */
export async function lockRows(db: Db, importId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${keyOf(importId)})`.execute(db);
}

/** Locks the rows unless another transaction has. For callers that hold a lock which is later in the lock order. */
export const tryLockRows = (db: Db, importId: string) =>
  queryValue<boolean>(db)`
    select pg_try_advisory_xact_lock(${keyOf(importId)}) as locked`;

const keyOf = (importId: string) => sql`hashtext('draftshelf rows'), hashtext(${importId})`;
