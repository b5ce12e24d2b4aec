import { historyMax } from '@draftshelf/domain/imports/import-status';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { QueueEntry } from './queue-page.ts';
import { finalList, shownImports } from './shown-imports.ts';

export type HistoryFilter = {
  /** A final status; undefined for all of them. Any other text finds nothing. */
  status: string | undefined;
  /** The beginning of the completion time as ISO text in UTC, such as '2026-11-21'; undefined for any. */
  completed: string | undefined;
  /** The id of a supplier; undefined for all imports. */
  supplier: number | undefined;
};

/** The imports that have ended, by their latest end, newest first. */
export async function readHistory(
  db: Db,
  { status, completed, supplier }: HistoryFilter,
): Promise<QueueEntry[]> {
  const conditions: RawBuilder<SqlBool>[] = [sql`status in (${finalList})`];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (supplier !== undefined) conditions.push(sql`supplier = ${supplier}`);
  if (completed !== undefined) conditions.push(...completedIn(completed));
  const { rows } = await sql<QueueEntry>`
    select id, version from ${shownImports} where ${sql.join(conditions, sql` and `)}
    order by completed_at desc, id limit ${historyMax}`.execute(db);
  return rows;
}

const wholeDay = /^\d{4}-\d{2}-\d{2}/;

/** A whole day also limits the range of times, so that the index finds it. */
function completedIn(prefix: string): RawBuilder<SqlBool>[] {
  const isoText = sql`to_char(completed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const conditions = [sql<SqlBool>`starts_with(${isoText}, ${prefix})`];
  const day = wholeDay.exec(prefix)?.[0];
  const from = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(from)) return conditions;
  const until = new Date(from + 24 * 60 * 60 * 1000);
  conditions.push(sql`completed_at >= ${new Date(from)} and completed_at < ${until}`);
  return conditions;
}
