import {
  activityOf,
  filesBegunActivity,
  type folderSummaryActivity,
  type ImportEvent,
  productActivity,
} from '@draftshelf/domain/imports/activity';
import { type Insertable, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRow, queryValue } from '../connection/query-rows.ts';
import type { ActivityTable, HourlyCountsTable, ImportRecord } from '../connection/schema.ts';

export const activityEntriesMax = 50;
/** If at most this many files arrive together in a folder, each gets an activity line. More files share one. */
export const singleEntryFilesMax = 5;

/** Events for which imports share a line. Any other event needs a person, so it has its own line with the cause. */
const summedEvents: readonly ImportEvent[] = ['begun', 'processed', 'push begun', 'pushed'];

/** Records an event as activity and in counters, in the transaction of the event. Call it after changing the import. */
export async function recordEvent(db: Db, event: ImportEvent, record: ImportRecord): Promise<void> {
  const entry = await entryOf(db, event, record);
  if (entry) await insertActivity(db, entry);
  if (event === 'failed') await addDashboardCounts(db, record.id, { failed_imports: 1 });
  if (event === 'processed' && (await isFirstTime(db, record.id))) {
    await addDashboardCounts(db, record.id, { processed_files: 1 });
  }
}

/** Returns an event's activity entry. If files share a line, the first file's entry covers all; null for the others. */
async function entryOf(
  db: Db,
  event: ImportEvent,
  record: ImportRecord,
): Promise<Insertable<ActivityTable> | null> {
  const { id, source, summarized } = record;
  const single = { ...activityOf(event, record), import_id: id };
  if (source === 'upload' || source === 'address' || summarized) return single;
  if (!summedEvents.includes(event)) return single;
  // Numbers of imports that are not summarized yet, and of files that are not read yet.
  const { imports, waiting } = await queryRow<{ imports: number; waiting: number }>(db)`
    select (select count(*)::int from imports where source = ${source} and source <> 'upload' and not summarized)
        as imports,
      (select count(*)::int from watched_files join watch_sources on watch_sources.id = watched_files.source
          and watch_sources.place_key = watched_files.place_key
        where watch_sources.kind = ${source} and watched_files.state in ('settling', 'waiting')) as waiting`;
  const files = imports + waiting;
  if (files <= singleEntryFilesMax) return single;
  return event === 'begun' && imports === 1
    ? { ...filesBegunActivity(source, files), import_id: null }
    : null;
}

/** The import id under which counts without an import are stored. */
const noImport = '00000000-0000-0000-0000-000000000000';

/** Records an event of a product. Call it last in a transaction: all such events of an hour update the same row. */
export async function recordProductEvent(
  db: Db,
  effect: 'created' | 'updated',
  title: string,
): Promise<void> {
  await insertActivity(db, { ...productActivity(effect, title), import_id: null });
  await addDashboardCounts(db, noImport, { [effect]: 1 });
}

export async function recordFolderEvent(
  db: Db,
  entry: ReturnType<typeof folderSummaryActivity>,
): Promise<void> {
  await insertActivity(db, { ...entry, import_id: null });
}

async function insertActivity(db: Db, entry: Insertable<ActivityTable>): Promise<void> {
  const { id } = await db.insertInto('activity').values(entry).returning('id').executeTakeFirstOrThrow();
  // Locked entries are skipped instead of waited for, because another transaction is already removing them.
  await sql`
    delete from activity where id in (
      select id from activity where id <= ${id - activityEntriesMax} for update skip locked
    )`.execute(db);
}

/** Whether the run that has just ended is the first one that processed the import. */
async function isFirstTime(db: Db, importId: string): Promise<boolean> {
  const ended = await queryValue<number>(db)`
    select count(*)::int as ended from runs
    where import_id = ${importId} and stage = 'parse' and ended_at is not null`;
  return ended === 1;
}

type Counts = Partial<Record<Exclude<keyof HourlyCountsTable, 'hour' | 'import_id'>, number>>;

/** Adds to the counters of the dashboard. The caller has changed the import, which locks it. */
export async function addDashboardCounts(db: Db, importId: string, counts: Counts): Promise<void> {
  const added = Object.entries(counts).filter(([, count]) => count > 0);
  if (added.length === 0) return;
  const sums = added.map(([column, count]) => [
    column,
    sql<number>`${sql.ref(`hourly_counts.${column}`)} + ${count}`,
  ]);
  const hour = sql<Date>`date_trunc('hour', now(), 'UTC')`;
  await db
    .insertInto('hourly_counts')
    .values({ hour, import_id: importId, ...Object.fromEntries(added) })
    .onConflict((conflict) => conflict.columns(['hour', 'import_id']).doUpdateSet(Object.fromEntries(sums)))
    .execute();
}
