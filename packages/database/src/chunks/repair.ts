import { fileKeyOf } from '@draftshelf/csv/encoding/transcriber';
import { sql } from 'kysely';
import { type Db, type OpenDatabase, onPinnedConnection } from '../connection/database.ts';
import { moveStatus } from '../imports/imports.ts';
import { notifyChunks } from './notify-chunks.ts';

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

/** Resumes imports that the store had paused and whose time to resume has come. */
export async function resumeDue(db: Db): Promise<void> {
  const due = await db
    .selectFrom('imports')
    .select(['id', 'paused_from', 'stage'])
    .where('status', '=', 'paused')
    .where('paused_by', '=', 'store')
    .where('resume_at', '<=', sql<Date>`now()`)
    .forUpdate()
    .skipLocked()
    .execute();
  for (const { id, paused_from, stage } of due) {
    if (!paused_from) continue;
    await moveStatus(db, id, {
      from: ['paused'],
      to: paused_from,
      set: { paused_from: null, paused_by: null, resume_at: null, waiting_for: null, waiting_until: null },
    });
    await notifyChunks(db, stage);
  }
}

/**
 * Which of these object keys are an import's file or its transcript. The others are left over from interrupted uploads.
 */
export async function listKnownObjects(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const files = keys.map(fileKeyOf);
  const rows = await db.selectFrom('imports').select('object_key').where('object_key', 'in', files).execute();
  const known = new Set(rows.map((row) => row.object_key));
  return new Set(keys.filter((key) => known.has(fileKeyOf(key))));
}
