import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Lets logins from one address pass one at a time, until this transaction ends: guesses at once count too. */
export async function lockLogin(db: Db, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('draftshelf login'), hashtext(${address}))`.execute(db);
}
