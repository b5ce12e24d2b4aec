import { sql } from 'kysely';
import { isWithin } from './connection/clock.ts';
import type { Db } from './connection/database.ts';

/** Begins a session; it ends after `seconds`, at logout, or when the access key changes. */
export async function insertSession(
  db: Db,
  session: { id: string; keyFingerprint: string; seconds: number },
): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      id: session.id,
      key_fingerprint: session.keyFingerprint,
      expires_at: sql<Date>`clock_timestamp() + ${session.seconds} * interval '1 second'`,
    })
    .execute();
}

/** Whether a session is valid now for the key with this fingerprint. */
export async function isSessionValid(db: Db, id: string, keyFingerprint: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('key_fingerprint', '=', keyFingerprint)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends a session, if there is one. */
export async function deleteSession(db: Db, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute();
}

/** Removes sessions that have ended, and login failures that no longer count. */
export async function sweepSessions(db: Db, failuresKeptMs: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', sql<Date>`now()`).execute();
  await db
    .deleteFrom('login_failures')
    .where('failed_at', '<', sql<Date>`now() - ${failuresKeptMs} * interval '1 millisecond'`)
    .execute();
}

/** Counts a wrong key from an address. */
export async function insertLoginFailure(db: Db, address: string): Promise<void> {
  await db.insertInto('login_failures').values({ address }).execute();
}

/** Failed logins within the last `windowMs`, of an address or (null) of all. */
export async function countLoginFailures(db: Db, address: string | null, windowMs: number): Promise<number> {
  const row = await db
    .selectFrom('login_failures')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(isWithin(sql.ref('failed_at'), windowMs))
    .$if(address !== null, (query) => query.where('address', '=', address ?? ''))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Reads from the session store; throws if it cannot. */
export async function pingSessions(db: Db): Promise<void> {
  await db.selectFrom('sessions').select('id').limit(1).execute();
}
