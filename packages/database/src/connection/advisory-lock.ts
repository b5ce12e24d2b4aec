import { sql } from 'kysely';
import { type Db, type OpenDatabase, onPinnedConnection } from './database.ts';

/** Tries to take an advisory lock for this transaction: one relay and one sweep per stage run at a time. */
export async function tryLock(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('draftshelf'), hashtext(${name})) as mine`.execute(db);
  return rows[0]?.mine ?? false;
}

/**
 * Runs `work` under an advisory lock, for work that one process at a time does and that must not keep a transaction
 * open. The lock lasts as long as the work, or the process. Returns what `work` returns, or undefined when another
 * process holds the lock.
 */
export async function withLock<T>(
  database: Pick<OpenDatabase, 'pool'>,
  name: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return onPinnedConnection(database, async ({ db }) => {
    const key = sql`hashtext('draftshelf'), hashtext(${name})`;
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${key}) as mine`.execute(db);
    if (!rows[0]?.mine) return undefined;
    // If the work throws, the connection is closed, which frees the lock.
    const done = await work();
    await sql`select pg_advisory_unlock(${key})`.execute(db);
    return done;
  });
}
