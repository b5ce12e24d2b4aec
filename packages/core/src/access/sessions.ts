import { sql } from 'kysely';
import { isRecent, timeAgo, timeFromNow } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { changeRows, hasRows, queryRows, queryValue } from '../connection/query-rows.ts';

/** Inserts a session. It ends after `seconds`, at logout, or when the access key changes. */
export async function insertSession(
  db: Db,
  session: { id: string; keyFingerprint: string; seconds: number },
): Promise<void> {
  await sql`
    insert into sessions (id, key_fingerprint, expires_at)
    values (${session.id}, ${session.keyFingerprint}, ${timeFromNow(session.seconds * 1000)})`.execute(db);
}

/** A session that is unused for this long ends. An open tab keeps its session in use, because its screens poll. */
export const sessionIdleMsMax = 12 * 60 * 60 * 1000;
const noteUseEveryMs = 5 * 60 * 1000;

/** Returns which of the sessions are valid for a key. `toNote`: sessions whose last recorded use is minutes old. */
export async function listValidSessions(
  db: Db,
  ids: readonly string[],
  keyFingerprint: string,
): Promise<{ valid: ReadonlySet<string>; toNote: string[] }> {
  const rows = await queryRows<{ id: string; noteUse: boolean }>(db)`${prepared}
    select id, used_at < ${timeAgo(noteUseEveryMs)} as "noteUse" from sessions
    where id = any(${ids}) and key_fingerprint = ${keyFingerprint} and expires_at > now()
      and used_at > ${timeAgo(sessionIdleMsMax)}`;
  return {
    valid: new Set(rows.map(({ id }) => id)),
    toNote: rows.filter(({ noteUse }) => noteUse).map(({ id }) => id),
  };
}

/** Records the use of sessions. Skips sessions that another api process is recording. */
export async function noteSessionUse(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    update sessions set used_at = now()
    where id in (select id from sessions where id = any(${ids}) for update skip locked)`.execute(db);
}

export const deleteSession = (db: Db, id: string) =>
  hasRows(db)`delete from sessions where id = ${id} returning id`;

export const deleteAllSessions = (db: Db) => changeRows(db)`delete from sessions`;

export async function insertLoginFailure(db: Db, address: string): Promise<void> {
  await db.insertInto('login_failures').values({ address }).execute();
}

/** Counts failed logins from an address, or from all addresses if it is null, within the last `windowMs`. */
export const countLoginFailures = (db: Db, address: string | null, windowMs: number) =>
  queryValue<number>(db)`
    select count(*)::int as count from login_failures
    where ${isRecent(sql.ref('failed_at'), windowMs)} and ${address === null ? sql`true` : sql`address = ${address}`}`;

/** Throws if the sessions cannot be read from Postgres. */
export async function pingSessions(db: Db): Promise<void> {
  await db.selectFrom('sessions').select('id').limit(1).execute();
}
