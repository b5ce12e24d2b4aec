import type { ImportStatus } from '@draftshelf/domain/import-status';
import { type Insertable, sql, type UpdateObject } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ImportRecord, ImportsTable, Schema } from '../schema.ts';

/** Columns that may change beside a status; the status itself only moves through moveStatus. */
export type ImportChanges = Omit<UpdateObject<Schema, 'imports'>, 'status' | 'version'>;

/** A version that no import has yet: every change that a screen shows takes a new one, so that ETags differ. */
export const nextVersion = sql<number>`nextval('import_version')`;

export const errorLogMax = 100;

/** An import by id, or undefined; a text that is not a UUID is no import. */
export async function findImport(db: Db, id: string): Promise<ImportRecord | undefined> {
  if (!isUuid(id)) return undefined;
  return db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * An import, locked until this transaction ends, or undefined when it does not exist. The lock leaves foreign keys to
 * the import alone, which batches of finalize check while an edit waits for them.
 */
export async function lockImport(db: Db, id: string): Promise<ImportRecord | undefined> {
  return db.selectFrom('imports').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** The status of an import now, or undefined when it does not exist. */
export async function readStatus(db: Db, id: string): Promise<ImportStatus | undefined> {
  const row = await db.selectFrom('imports').select('status').where('id', '=', id).executeTakeFirst();
  return row?.status;
}

/**
 * Lets the edits of an import that are just being made end, holds new ones off until this transaction ends, and
 * answers the time: what is read now has every edit made before it.
 */
export async function lockForReading(db: Db, id: string): Promise<Date> {
  await db.selectFrom('imports').select('id').where('id', '=', id).forShare().execute();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const [time] = rows;
  if (!time) throw new Error('Postgres does not tell the time');
  return time.now;
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the form of our ids; Postgres throws at most others. */
export function isUuid(text: string): boolean {
  return uuidForm.test(text);
}

/** Stores a new import and answers its record. */
export async function insertImport(db: Db, values: Insertable<ImportsTable>): Promise<ImportRecord> {
  return db.insertInto('imports').values(values).returningAll().executeTakeFirstOrThrow();
}

/** The latest import of the same bytes that was not cancelled, or undefined. */
export async function findSame(db: Db, sha256: string): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('imports')
    .select('id')
    .where('sha256', '=', sha256)
    .where('status', '<>', 'cancelled')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * The one function through which a status changes. Answers the changed record, or undefined when the import
 * was not in one of `from`: a conflict, and nothing has changed.
 */
export async function moveStatus(
  db: Db,
  id: string,
  move: {
    from: readonly ImportStatus[];
    to: ImportStatus;
    set?: ImportChanges;
  },
): Promise<ImportRecord | undefined> {
  return db
    .updateTable('imports')
    .set({ ...move.set, status: move.to, version: nextVersion })
    .where('id', '=', id)
    .where('status', 'in', move.from)
    .returningAll()
    .executeTakeFirst();
}

type ClassCounts = Pick<ImportRecord, 'warning_products' | 'error_products'>;

/** Where its counts put an import that has been processed: `processed` when every product is valid, else `queued`. */
export function statusOf({ warning_products, error_products }: ClassCounts): 'processed' | 'queued' {
  return warning_products + error_products === 0 ? 'processed' : 'queued';
}

/** As statusOf, by the counts as they are now. */
export async function statusByCounts(db: Db, id: string): Promise<'processed' | 'queued'> {
  const counts = await db
    .selectFrom('imports')
    .select(['warning_products', 'error_products'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return statusOf(counts);
}

/** What an edit does: a reviewable import moves to where its counts put it, and 'Mark as Ready' ends. */
export async function refreshReviewStatus(db: Db, id: string): Promise<ImportRecord | undefined> {
  await changeImport(db, id, { marked_ready: false });
  return moveStatus(db, id, {
    from: ['queued', 'processed', 'completed'],
    to: await statusByCounts(db, id),
  });
}

/** Changes columns other than the status; takes a new version. */
export async function changeImport(db: Db, id: string, set: ImportChanges): Promise<void> {
  await db
    .updateTable('imports')
    .set({ ...set, version: nextVersion })
    .where('id', '=', id)
    .execute();
}

/** An SQL expression that appends messages to error_log, of which the first 100 are kept. */
export function appendedErrors(messages: readonly string[]) {
  return sql<string[]>`(error_log || ${messages}::text[])[1:${sql.lit(errorLogMax)}]`;
}
