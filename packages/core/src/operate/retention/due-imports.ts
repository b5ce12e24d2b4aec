import type { RetentionName } from '@draftshelf/domain/access/preferences';
import { finalStatuses } from '@draftshelf/domain/imports/import-status';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';

/** Imports per sweep. The others are found by the next one. */
const dueMax = 20;

const daysAgo = (days: number) => sql`now() - ${days} * interval '1 day'`;
const hasEndedBefore = (days: number) =>
  sql`status = any(${finalStatuses}::text[]) and coalesce(completed_at, created_at) < ${daysAgo(days)}`;

/**
 * SQL conditions on an import from which something is due for removal. A push that failed after some of its products
 * were sent needs its rows for the retry, and such an import cannot be read again.
 */
const conditions: Record<RetentionName, (days: number) => RawBuilder<boolean>> = {
  keepRowsDays: (days) => sql`(
    rows_removed_at is null and ${hasEndedBefore(days)}
    and (status <> 'failed' or failed_in is distinct from 'push' or skipped + failed = total_products))`,
  keepFilesDays: (days) => sql`(file_removed_at is null and ${hasEndedBefore(days)})`,
};

/** The oldest imports from which something is due for removal, at most 20. */
export async function listDue(db: Db, name: RetentionName, days: number): Promise<string[]> {
  const rows = await db
    .selectFrom('imports')
    .select('id')
    .where(conditions[name](days))
    .where('deletion_began_at', 'is', null)
    .orderBy('created_at')
    .limit(dueMax)
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether something of an import is still due for removal. Call it when the import is locked. */
export async function isDue(db: Db, name: RetentionName, days: number, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('imports')
    .select('id')
    .where('id', '=', id)
    .where(conditions[name](days))
    .executeTakeFirst();
  return found !== undefined;
}
