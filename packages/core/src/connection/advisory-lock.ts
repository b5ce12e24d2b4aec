import { sql } from 'kysely';
import type { Db } from './database.ts';
import { queryValue } from './query-rows.ts';

/** Acquires a named advisory lock until the transaction ends. Returns false if another transaction has the lock. */
export const tryLock = (db: Db, name: string) =>
  queryValue<boolean>(db)`
    select pg_try_advisory_xact_lock(hashtext('draftshelf'), hashtext(${name})) as mine`;

/** Locks logins from an address until this transaction ends, so that parallel guesses are counted one by one. */
export async function lockLogin(db: Db, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('draftshelf login'), hashtext(${address}))`.execute(db);
}
