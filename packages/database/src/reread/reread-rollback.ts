import type { ImportStatus } from '@draftshelf/domain/import-status';
import { type RowClass, rowClasses } from '@draftshelf/domain/row-rule';
import { sql } from 'kysely';
import { ofRun } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import { errorLogMax, type ImportChanges, moveStatus, refreshReviewStatus } from '../imports/imports.ts';
import { enqueueRowRemoval } from '../rows/remove-rows.ts';
import type { ImportRecord } from '../schema.ts';

/** The columns that a re-read changes on its import before its rows are current. */
const snapshotColumns = [
  'stage',
  'parse_run',
  'open_chunks',
  'total_rows',
  'total_products',
  'product_numbers',
  'parsed_rows',
  'processed_products',
  'valid_products',
  'warning_products',
  'error_products',
  'enrich_rows',
  'enriched_rows',
  'marked_ready',
  'failed_in',
  'error_message',
  'error_log',
  'error_count',
  'started_at',
  'completed_at',
] as const satisfies readonly (keyof ImportRecord)[];
type SnapshotColumn = (typeof snapshotColumns)[number];
type SnapshotTime = 'started_at' | 'completed_at';

/** The state of an import before its re-read. Times are as Postgres writes them into JSON, to the microsecond. */
export type ImportSnapshot = {
  status: ImportStatus;
  /** The last edit that the counts include; 0 when there is none. */
  last_edit: number;
  columns: Pick<ImportRecord, Exclude<SnapshotColumn, SnapshotTime>> & Record<SnapshotTime, string | null>;
};

/** SQL value: an import's current state, for the run that is about to change it. */
export function snapshotOf(importId: string) {
  const columns = sql.join(snapshotColumns.flatMap((column) => [sql.lit(column), sql.ref(column)]));
  return sql<string>`(
    select json_build_object('status', status, 'columns', json_build_object(${columns}),
      'last_edit', (select coalesce(max(edits.id), 0) from edits where edits.import_id = imports.id))
    from imports where id = ${importId})`;
}

/** Whether a stored file is being re-read: the rows shown are still those of an earlier run. */
export function isRereading(
  record: Pick<ImportRecord, 'status' | 'paused_from' | 'parse_run' | 'rows_run'>,
): boolean {
  const runs = record.status === 'processing' || record.paused_from === 'processing';
  return runs && record.parse_run !== record.rows_run;
}

/** Shown for a failed re-read whose cause is not a sentence for operators. */
export const faultSentence = 'The file couldn’t be re-read because of an internal error. See the error log.';

/** Why a re-read has no result: a plain sentence, and a cause to add to the error log. */
export type RereadFailure = { sentence: string; cause?: string };

/**
 * Ends the re-read of an import that the caller has locked, and restores the import from its snapshot, adding the
 * cause if the re-read failed. Edits made in the meantime stay: they have changed the counts in the snapshot, and the status follows
 * them. The run is not continued: its rows are removed, and the sweep drops its unfinished chunks. Returns undefined
 * when no re-read is in progress.
 */
export async function rollBackReread(
  db: Db,
  record: ImportRecord,
  failure?: RereadFailure,
): Promise<ImportRecord | undefined> {
  if (!isRereading(record)) return undefined;
  const run = await db
    .selectFrom('runs')
    .select('snapshot')
    .where(ofRun({ import_id: record.id, stage: 'parse', run: record.parse_run }))
    .executeTakeFirst();
  if (!run?.snapshot) throw new Error(`Run ${record.parse_run} of import ${record.id} has no snapshot`);
  const { status, columns, last_edit } = run.snapshot;
  await enqueueRowRemoval(db, record, 'later');
  const moved = await moveStatus(db, record.id, {
    from: ['processing', 'paused'],
    to: status,
    set: {
      ...columns,
      ...(failure ? failed(run.snapshot, record, failure) : {}),
      paused_from: null,
      paused_by: null,
      resume_at: null,
      waiting_for: null,
      waiting_until: null,
    },
  });
  if (moved && (await wasEditedSince(db, record.id, last_edit))) {
    return (await refreshReviewStatus(db, record.id)) ?? moved;
  }
  return moved;
}

/** Adds an edit made during a re-read to the counts that the import would roll back to. */
export async function moveSnapshotCounts(
  db: Db,
  record: Pick<ImportRecord, 'id' | 'parse_run'>,
  by: Record<RowClass, number>,
): Promise<void> {
  const column = (name: RowClass) =>
    sql`${sql.lit(`${name}_products`)}, (snapshot->'columns'->>${sql.lit(`${name}_products`)})::int + ${by[name]}`;
  await sql`
    update runs set snapshot = jsonb_set(snapshot::jsonb, '{columns}',
      (snapshot->'columns')::jsonb || jsonb_build_object(${sql.join(rowClasses.map(column))}))::json
    where ${ofRun({ import_id: record.id, stage: 'parse', run: record.parse_run })} and snapshot is not null`.execute(
    db,
  );
}

/** An import that had already failed keeps that cause, because a retry is about it. */
function failed(
  { status, columns }: ImportSnapshot,
  { error_log, error_count }: ImportRecord,
  { sentence, cause }: RereadFailure,
): ImportChanges {
  const before = status === 'failed' && columns.error_message !== null ? `${columns.error_message} ` : '';
  const shown = columns.failed_in === 'parse' ? '' : ' The previous rows were kept.';
  const causes = cause === undefined ? [] : [cause];
  return {
    error_message: before + sentence + shown,
    error_log: [...columns.error_log, ...error_log, ...causes].slice(-errorLogMax),
    error_count: columns.error_count + error_count + causes.length,
  };
}

async function wasEditedSince(db: Db, importId: string, lastEdit: number): Promise<boolean> {
  const edit = await db
    .selectFrom('edits')
    .select('id')
    .where('import_id', '=', importId)
    .where('id', '>', lastEdit)
    .limit(1)
    .executeTakeFirst();
  return edit !== undefined;
}
