import { historyImportsMax } from '@draftshelf/domain/imports/import-status';
import type { UndoSums } from '@draftshelf/domain/push/undo-actions';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import { finalStatusList, type QueueEntry } from './queue-page.ts';

export type HistoryFilter = {
  /** A final status, or undefined for all final statuses. Any other text matches no import. */
  status: string | undefined;
  /** A prefix of the end time as ISO text in UTC, such as '2026-11-21', or undefined for all. */
  completed: string | undefined;
  supplier: number | undefined;
};

/** If the last push was undone, `undone` is set, and the import waits for another push. */
export type HistoryEntry = QueueEntry & { undone: { at: Date; results: UndoSums } | null };

/** Reads imports that have ended or whose last push was undone. The latest end comes first. */
export async function readHistory(
  db: Db,
  { status, completed, supplier }: HistoryFilter,
): Promise<HistoryEntry[]> {
  const within = (end: 'completed_at' | 'undo.ended_at'): RawBuilder<SqlBool>[] => [
    ...(supplier === undefined ? [] : [sql<SqlBool>`supplier = ${supplier}`]),
    ...(completed === undefined ? [] : endedIn(completed, end)),
  ];
  const conditions = [sql<SqlBool>`status in (${finalStatusList})`, ...within('completed_at')];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  const ended = sql`
    select id, version, completed_at as ended_at, null::timestamptz as at, null::json as results
    from import_records where ${sql.join(conditions, sql` and `)}
    order by completed_at desc nulls last, id limit ${historyImportsMax}`;
  const ofUndone = [sql<SqlBool>`undo.kind = 'undo' and undo.run = push_run`, ...within('undo.ended_at')];
  const undone = sql`
    select imports.id, version, undo.ended_at, undo.ended_at as at, undo.results
    from previews undo join imports on imports.id = undo.import_id
    where undo.ended_at is not null and status in ('queued', 'processed') and ${sql.join(ofUndone, sql` and `)}
    order by undo.ended_at desc, imports.id limit ${historyImportsMax}`;
  const rows = await queryRows<QueueEntry & { at: Date | null; results: UndoSums | null }>(db)`
    select id, version, at, results from (${
      status === undefined ? sql`(${ended}) union all (${undone})` : ended
    }) listed
    order by ended_at desc, id limit ${historyImportsMax}`;
  return rows.map(({ at, results, ...entry }) => ({
    ...entry,
    undone: at === null || results === null ? null : { at, results },
  }));
}

const wholeDay = /^\d{4}-\d{2}-\d{2}/;

/** Returns conditions on the end time. If the prefix has a whole day, adds bounds, for which an index can be used. */
function endedIn(prefix: string, end: 'completed_at' | 'undo.ended_at'): RawBuilder<SqlBool>[] {
  const at = sql.ref(end);
  const isoText = sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const conditions = [sql<SqlBool>`starts_with(${isoText}, ${prefix})`];
  const day = wholeDay.exec(prefix)?.[0];
  const from = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(from)) return conditions;
  const until = new Date(from + 24 * 60 * 60 * 1000);
  conditions.push(sql`${at} >= ${new Date(from)} and ${at} < ${until}`);
  return conditions;
}
