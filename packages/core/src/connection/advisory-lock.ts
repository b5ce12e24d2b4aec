import { sql } from 'kysely';
import type { Db } from './database.ts';
import { queryValue } from './query-rows.ts';

/** Tries to take an advisory lock for this transaction: one relay and one sweep per stage run at a time. */
export const tryLock = (db: Db, name: string) =>
  queryValue<boolean>(db)`
    select pg_try_advisory_xact_lock(hashtext('draftshelf'), hashtext(${name})) as mine`;

/** Makes logins from one address wait for each other until this transaction ends: parallel guesses count too. */
export async function lockLogin(db: Db, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('draftshelf login'), hashtext(${address}))`.execute(db);
}
