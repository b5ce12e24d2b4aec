import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Makes logins from one address wait for each other until this transaction ends: parallel guesses count too. */
export async function lockLogin(db: Db, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('draftshelf login'), hashtext(${address}))`.execute(db);
}
