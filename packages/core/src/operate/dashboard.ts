import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRow, queryRows } from '../connection/query-rows.ts';
import type { ActivityTable, ImportRecord } from '../connection/schema.ts';
import { finalList } from '../imports/queue-page.ts';
import { activityMax } from '../imports/record-event.ts';

/** As many as the queue shows, and the latest that ended. */
const currentOpenMax = 500;
const currentEndedMax = 100;
/** The time that an import stays in Current Processing after its end, as specified. */
const endedShownSeconds = 60;

/** The chart's 14 days begin at midnight in any time zone. */
const daysRead = 15;
/** Older counts are folded. More than `daysRead`, so that no reader misses counts that are being folded. */
const daysKept = 17;

export type DashboardStats = {
  filesProcessed: number;
  productsCreated: number;
  inQueue: number;
  errors: number;
};

const sums = sql`
  select coalesce(sum(processed_files), 0) as files_processed, coalesce(sum(created), 0) as products_created,
    coalesce(sum(undone), 0) as products_undone, coalesce(sum(failed_imports + failed), 0) as errors`;

/** Reads the counters since the last reset, and the number of imports that have not ended. */
export async function readStats(db: Db): Promise<DashboardStats> {
  const stats = await queryRow<DashboardStats>(db)`
    select
      (o.files_processed + counted.files_processed)::float8 as "filesProcessed",
      (o.products_created + counted.products_created)::float8 as "productsCreated",
      (o.errors + counted.errors)::float8 as "errors",
      (select count(*)::int from imports where status not in (${finalList})) as "inQueue"
    from count_offsets o, (${sums} from hourly_counts) counted`;
  return stats;
}

/** Counts created products of undone pushes, since the last reset. */
export async function readUndone(db: Db): Promise<number> {
  const { undone } = await queryRow<{ undone: number }>(db)`
    select (o.products_undone + counted.products_undone)::float8 as undone
    from count_offsets o, (${sums} from hourly_counts) counted`;
  return undone;
}

export type ActivityEntry = {
  id: number;
  type: ActivityTable['type'];
  message: string;
  import_id: string | null;
  created_at: Date;
};

export async function readActivity(db: Db): Promise<ActivityEntry[]> {
  return db.selectFrom('activity').selectAll().orderBy('id', 'desc').limit(activityMax).execute();
}

/** Lists imports that have not ended, newest first, and those that completed or failed within the last minute. */
export async function readCurrent(db: Db): Promise<ImportRecord[]> {
  return queryRows<ImportRecord>(db)`
    select * from (
      (select * from import_records where status not in (${finalList}) order by created_at desc, id limit ${currentOpenMax})
      union all
      (select * from import_records where status in (${finalList}) and status <> 'cancelled'
        and completed_at > now() - ${endedShownSeconds} * interval '1 second'
        order by completed_at desc nulls last, id limit ${currentEndedMax})
    ) current order by created_at desc, id`;
}

export type PushedHour = {
  hour: Date;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  failed: number;
  undone: number;
};

/** Reads outcomes of pushes in the last days, by hour, oldest first, without empty hours. */
export async function readPushedHours(db: Db): Promise<PushedHour[]> {
  return queryRows<PushedHour>(db)`
    select hour, sum(created)::int as created, sum(updated)::int as updated, sum(unchanged)::int as unchanged,
      sum(skipped)::int as skipped, sum(failed)::int as failed, sum(undone)::int as undone
    from hourly_counts
    where hour > now() - ${daysRead} * interval '1 day' and created + updated + unchanged + skipped + failed + undone > 0
    group by hour order by hour`;
}

/** Clears the activity and sets the counters to 0. Imports, and outcomes of pushes by hour, stay. */
export async function resetDashboard(db: Db): Promise<void> {
  await lockOffsets(db);
  await db.deleteFrom('activity').execute();
  await sql`
    update count_offsets o set files_processed = - counted.files_processed,
      products_created = - counted.products_created, products_undone = - counted.products_undone, errors = - counted.errors
    from (${sums} from hourly_counts) counted`.execute(db);
}

/** Folds counts that are too old for the chart into the counters, so that hourly_counts stays small. */
export async function foldOldCounts(db: Db): Promise<void> {
  const old = sql`hour < now() - ${daysKept} * interval '1 day'`;
  const rows = await queryRows<unknown>(db)`select 1 from hourly_counts where ${old} limit 1`;
  if (rows.length === 0) return;
  await lockOffsets(db);
  await sql`
    with folded as (delete from hourly_counts where ${old} returning *)
    update count_offsets o set files_processed = o.files_processed + counted.files_processed,
      products_created = o.products_created + counted.products_created,
      products_undone = o.products_undone + counted.products_undone, errors = o.errors + counted.errors
    from (${sums} from folded) counted`.execute(db);
}

/** A reset and a fold lock the counters before they sum, so that neither sees half of the other. */
async function lockOffsets(db: Db): Promise<void> {
  await sql`select 1 from count_offsets for update`.execute(db);
}

/** `waiting`: the newest import that waits for the operator, and its products with a problem. */
type FirstSteps = {
  uploaded: boolean;
  fixed: boolean;
  pushed: boolean;
  waiting: { id: string; problems: number } | null;
};

/** Each is known from the first row of a table. */
export async function readFirstSteps(db: Db): Promise<FirstSteps> {
  const steps = await queryRow<FirstSteps>(db)`
    select exists (select 1 from imports) as uploaded,
      exists (select 1 from edit_commands where kind in ('single','proposals')) as fixed,
      exists (select 1 from listings where pushed_at is not null) as pushed,
      (select json_build_object('id', id, 'problems', warning_products + error_products) from import_records
        where status in ('queued','processed') order by created_at desc, id limit 1) as waiting`;
  return steps;
}
