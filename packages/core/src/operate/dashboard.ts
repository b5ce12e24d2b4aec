import type { Outcome } from '@draftshelf/domain/imports/outcome';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { hasRows, queryRow, queryRows, queryValue } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { finalStatusList } from '../imports/queue-page.ts';
import { activityEntriesMax } from '../imports/record-event.ts';

/** Maximum number of shown open imports, as in the queue, and of shown ended imports. */
const currentOpenMax = 500;
const currentEndedMax = 100;
/** Seconds for which an ended import stays in Current Processing. */
const endedShownSeconds = 60;

/** Days read for the chart: enough for 14 whole days in any time zone. */
const daysRead = 15;
/** Days after which counts are folded into one line. More than `daysRead`, so that the chart misses no counts. */
const daysKept = 17;

export type DashboardStats = {
  filesProcessed: number;
  productsCreated: number;
  inQueue: number;
  errors: number;
};

const sums = sql`
  select coalesce(sum(processed_files), 0)::int as files, coalesce(sum(created), 0)::int as created,
    coalesce(sum(undone), 0)::int as undone, coalesce(sum(failed_imports + failed), 0)::int as errors`;

/** Reads the counters since the last reset, and the number of imports that have not ended. */
export const readDashboardStats = (db: Db) =>
  queryRow<DashboardStats>(db)`
    select files as "filesProcessed", created as "productsCreated", errors,
      (select count(*)::int from imports where status not in (${finalStatusList})) as "inQueue"
    from (${sums} from hourly_counts) counted`;

/** Returns the number of created products whose push was undone since the last reset. */
export const countUndoneProducts = (db: Db) =>
  queryValue<number>(db)`select undone from (${sums} from hourly_counts) counted`;

export const readActivity = (db: Db) =>
  db.selectFrom('activity').selectAll().orderBy('id', 'desc').limit(activityEntriesMax).execute();

/** Lists imports that have not ended, newest first, and those that completed or failed within the last minute. */
export const listCurrentImports = (db: Db) =>
  queryRows<ImportRecord>(db)`
    select * from (
      (select * from import_records where status not in (${finalStatusList}) order by created_at desc, id limit ${currentOpenMax})
      union all
      (select * from import_records where status in (${finalStatusList}) and status <> 'cancelled'
        and completed_at > now() - ${endedShownSeconds} * interval '1 second'
        order by completed_at desc nulls last, id limit ${currentEndedMax})
    ) current order by created_at desc, id`;

type PushedHour = { hour: Date } & Record<Outcome | 'undone', number>;

/** Reads outcomes of pushes of the last days by hour, oldest first, without empty hours. */
export const readHourlyOutcomes = (db: Db) =>
  queryRows<PushedHour>(db)`
    select hour, sum(created)::int as created, sum(updated)::int as updated, sum(unchanged)::int as unchanged,
      sum(skipped)::int as skipped, sum(failed)::int as failed, sum(undone)::int as undone
    from hourly_counts
    where hour > now() - ${daysRead} * interval '1 day' and created + updated + unchanged + skipped + failed + undone > 0
    group by hour order by hour`;

/** Clears the activity and sets the counters to 0. Imports and the hourly outcomes stay. */
export async function resetDashboard(db: Db): Promise<void> {
  await lockFolded(db);
  await db.deleteFrom('activity').execute();
  await sql`
    update hourly_counts folded set processed_files = processed_files - counted.files,
      created = folded.created - counted.created, undone = folded.undone - counted.undone,
      failed = failed - counted.errors
    from (${sums} from hourly_counts) counted where ${isFolded}`.execute(db);
}

/** Adds counts that are too old for the chart to a single line, so that the table stays small. */
export async function foldOldCounts(db: Db): Promise<void> {
  const old = sql`not ${isFolded} and hour < now() - ${daysKept} * interval '1 day'`;
  if (!(await hasRows(db)`select 1 from hourly_counts where ${old} limit 1`)) return;
  await lockFolded(db);
  await sql`
    with old as (delete from hourly_counts where ${old} returning *)
    update hourly_counts folded set processed_files = processed_files + counted.files,
      created = folded.created + counted.created, undone = folded.undone + counted.undone,
      failed = failed + counted.errors
    from (${sums} from old) counted where ${isFolded}`.execute(db);
}

const isFolded = sql`hour = '-infinity'`;

/** Locks the line of folded counts. Call it before counts are summed, so that resets and folds run one by one. */
async function lockFolded(db: Db): Promise<void> {
  await sql`select 1 from hourly_counts where ${isFolded} for update`.execute(db);
}

/** `waiting`: the newest import that waits for the operator, and its number of products with problems. */
type FirstSteps = {
  uploaded: boolean;
  fixed: boolean;
  pushed: boolean;
  waiting: { id: string; problems: number } | null;
};

/** Reads which first steps of a new installation are done. For each step, one matching row is enough. */
export const readFirstSteps = (db: Db) =>
  queryRow<FirstSteps>(db)`
    select exists (select 1 from imports) as uploaded,
      exists (select 1 from edit_commands where kind in ('single','proposals')) as fixed,
      exists (select 1 from listings where pushed_at is not null) as pushed,
      (select json_build_object('id', id, 'problems', warning_products + error_products) from import_records
        where status in ('queued','processed') order by created_at desc, id limit 1) as waiting`;
