import { importActions } from '@draftshelf/domain/imports/import-status';
import { type Stage, stages } from '@draftshelf/domain/imports/stages';
import { importsPerActionMax, tasksWithoutRetry } from '@draftshelf/domain/operate/dead-work';
import { type TaskKind, tasksDroppedByNewRun } from '@draftshelf/domain/work/task-catalog';
import { sql } from 'kysely';
import { timeAgo } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { queryRows, queryValue, queryValues } from '../connection/query-rows.ts';
import type { ChunkKind, ChunkRecord, ImportRecord } from '../connection/schema.ts';
import type { ChunkSummary } from './chunks.ts';
import { getRunColumn } from './runs.ts';

export type DeadChunk = ChunkSummary &
  Pick<ChunkRecord, 'id' | 'import_id' | 'attempts' | 'error' | 'ended_at'> &
  Pick<ImportRecord, 'filename' | 'status'>;

/** Maximum that countDeadWork returns. At this count, the api replies that there may be more. */
export const deadCountedMax = 1_000;

const currentRun = sql.join(
  stages.map((stage) => sql`when ${stage}::text then ${sql.ref(`imports.${getRunColumn(stage)}`)}`),
  sql` `,
);

/**
 * SQL condition on chunks and imports: the result of a dead chunk is still missing. It is false for dead chunks of
 * earlier or repeated runs, and for dead tasks of replaced rows.
 */
export const isResultMissing = sql<boolean>`case when chunks.kind = 'task'
  then chunks.task <> all(${tasksDroppedByNewRun}::text[]) or chunks.run = imports.rows_run
  else chunks.stage = imports.stage and chunks.run = case chunks.stage ${currentRun} end
    and imports.status = any(${importActions.giveUp}::text[]) end`;

/** SQL: dead chunks whose result is missing. With a literal state, every plan can use the index of dead chunks. */
const deadWork = sql`
  from chunks join import_records imports on imports.id = chunks.import_id where chunks.state = 'dead' and ${isResultMissing}`;

const causeOfChunk = sql<string>`coalesce(chunks.cause, '')`;

const hasCause = (cause: string | undefined) =>
  cause === undefined ? sql`true` : sql`${causeOfChunk} = ${cause}`;

/** Returns dead chunks and tasks, newest first. `before`: last id of the previous page. `cause`: code of a cause. */
export const listDeadWork = (
  db: Db,
  { before, cause, limit }: { before: number | undefined; cause: string | undefined; limit: number },
) =>
  queryRows<DeadChunk>(db)`
    select chunks.id, chunks.import_id, chunks.stage, chunks.kind, chunks.task, first_row, rows, first_product, products,
      done, total, attempts, error, ended_at, filename, status
    ${deadWork} and ${hasCause(cause)} and (${before ?? null}::bigint is null or chunks.id < ${before ?? null})
    order by chunks.id desc limit ${limit}`;

/** Counts dead chunks and tasks up to `deadCountedMax`. `withinMs`: maximum age of a death. `cause`: a cause's code. */
export const countDeadWork = (
  db: Db,
  { withinMs, cause }: { withinMs?: number; cause?: string | undefined } = {},
) =>
  queryValue<number>(db)`
    select count(*)::int as count from (
      select 1 ${deadWork} and ${hasCause(cause)}
        and ${withinMs === undefined ? sql`true` : sql`chunks.ended_at > ${timeAgo(withinMs)}`}
      limit ${deadCountedMax}) dead`;

/** Maximum retries of a chunk for a cause by retries of the whole cause. A retry of a single chunk has no limit. */
const retriesMax = 5;

/** Maximum number of dead chunks that are grouped by cause, newest first. */
const groupedMax = 20_000;

/** SQL: dead chunks and tasks, and imports that failed without a dead chunk because their stage could not continue. */
const failedWork = sql`
  select * from (
    select chunks.import_id, ${causeOfChunk} as cause, chunks.stage, coalesce(chunks.task, chunks.kind) as kind,
      chunks.task is not null as is_task, chunks.id as chunk, chunks.error, chunks.attempts, chunks.retries,
      chunks.ended_at as at, imports.filename,
      case when chunks.task is null then imports.status = any(${importActions.retry}::text[])
        else chunks.task <> all(${tasksWithoutRetry}::text[]) end as can_retry
    from chunks join import_records imports on imports.id = chunks.import_id
    where chunks.state = 'dead' and ${isResultMissing} order by chunks.id desc limit ${groupedMax}
  ) dead
  union all
  select imports.id, stopped.cause, imports.stage, 'work', false, null, error_message, 0, stopped.retries,
    completed_at, filename, true
  from import_records imports cross join lateral (
    select cause, max(retries) as retries from chunks
    where import_id = imports.id and stage = imports.stage and run = case imports.stage ${currentRun} end
      and cause is not null and state = 'pending' group by cause limit 1
  ) stopped
  where imports.status = 'failed'`;

/** `has_parts`: whether chunks of a stage have failed. False if only tasks have. */
export type FailureCause = {
  cause: string;
  error: string | null;
  attempts: number;
  parts: number;
  chunks: number;
  imports: number;
  /** `can_retry`: number of imports that a retry would include. `worn_out`: number of imports retried too often. */
  can_retry: number;
  worn_out: number;
  has_parts: boolean;
  kinds: { stage: Stage; kind: ChunkKind | TaskKind; isTask: boolean }[];
  since: Date | null;
  files: { importId: string; filename: string }[];
};

export const causesMax = 50;
const filesShown = 10;

/** Returns the causes of all failed work, latest first. If there are more than `causesMax`, returns `causesMax` + 1. */
export const listFailureCauses = (db: Db) =>
  queryRows<FailureCause>(db)`
    with failed as materialized (${failedWork}), files as (
      select cause, import_id, filename, max(at) as at, bool_or(can_retry) as can_retry, max(retries) as retries,
        row_number() over (partition by cause order by max(at) desc nulls last, import_id) as place
      from failed group by cause, import_id, filename
    )
    select * from (
      select cause, (array_agg(error order by at desc nulls last))[1] as error, max(attempts) as attempts,
        count(*)::int as parts, count(chunk)::int as chunks, min(at) as since, max(at) as last,
        bool_or(not is_task) as has_parts,
        json_agg(distinct jsonb_build_object('stage', stage, 'kind', kind, 'isTask', is_task)) as kinds
      from failed group by cause
    ) parts join (
      select cause, count(*)::int as imports,
        count(*) filter (where can_retry and retries < ${retriesMax})::int as can_retry,
        count(*) filter (where can_retry and retries >= ${retriesMax})::int as worn_out,
        json_agg(json_build_object('importId', import_id, 'filename', filename) order by place)
          filter (where place <= ${filesShown}) as files
      from files group by cause
    ) imports using (cause)
    order by last desc nulls last, cause limit ${causesMax + 1}`;

/** Returns the imports that a retry of this cause would retry, the earliest failure first. */
export const findRetriableImports = (db: Db, cause: string) =>
  queryValues<string>(db)`
    select import_id from (${failedWork}) failed
    where cause = ${cause} group by import_id
    having bool_or(can_retry) and max(retries) < ${retriesMax}
    order by min(at), import_id limit ${importsPerActionMax}`;

/** Returns imports with work that failed for a cause, and their failed tasks. `hasParts`: chunks of a stage failed. */
export const findFailedImports = (db: Db, cause: string) =>
  queryRows<{ importId: string; tasks: number[]; hasParts: boolean }>(db)`
    select import_id as "importId", coalesce(json_agg(chunk) filter (where is_task), '[]') as tasks,
      bool_or(not is_task) as "hasParts"
    from (${failedWork}) failed where cause = ${cause}
    group by import_id order by min(at), import_id limit ${importsPerActionMax}`;

export type DeadTask = Pick<ChunkRecord, 'id' | 'stage' | 'run' | 'command'> & { task: TaskKind };

export const listDeadTasks = (db: Db, importId: string) =>
  queryRows<DeadTask>(db)`
    select chunks.id, chunks.stage, run, command, task
    ${deadWork} and chunks.import_id = ${importId} and chunks.kind = 'task' order by chunks.id`;
