import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Tries to take an advisory lock for this transaction: one relay and one sweep per stage run at a time. */
export async function tryLock(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('draftshelf'), hashtext(${name})) as mine`.execute(db);
  return rows[0]?.mine ?? false;
}

/** Makes logins from one address wait for each other until this transaction ends: parallel guesses count too. */
export async function lockLogin(db: Db, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('draftshelf login'), hashtext(${address}))`.execute(db);
}
