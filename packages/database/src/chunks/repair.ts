import { fileKeyOf } from '@draftshelf/csv/encoding/transcriber';
import { sql } from 'kysely';
import { type Db, type OpenDatabase, onPinnedConnection } from '../connection/database.ts';
import { moveStatus } from '../imports/imports.ts';
import { notifyChunks } from './notify-chunks.ts';

/** One relay and one sweeper per stage at a time: whether this transaction got the turn. */
export async function tryLock(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('draftshelf'), hashtext(${name})) as mine`.execute(db);
  return rows[0]?.mine ?? false;
}

/**
 * Does what only one process at a time does and what no transaction may be held open for: a turn that lasts as long as
 * the work, or the process. Answers what `work` answers, or undefined when somebody else has the turn.
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
    // A connection whose work throws is closed, and its lock with it.
    const done = await work();
    await sql`select pg_advisory_unlock(${key})`.execute(db);
    return done;
  });
}

/** Lets imports go on that the store had paused until a time that has come. */
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

/** Which of these object keys are an import's file or its transcript; the others are left over from uploads that were cut off. */
export async function listKnownObjects(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const files = keys.map(fileKeyOf);
  const rows = await db.selectFrom('imports').select('object_key').where('object_key', 'in', files).execute();
  const known = new Set(rows.map((row) => row.object_key));
  return new Set(keys.filter((key) => known.has(fileKeyOf(key))));
}
