import { runningStatusOf, type Stage, stages } from '@draftshelf/domain/imports/stages';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryRow, queryRows, queryValue } from '../../connection/query-rows.ts';
import type { ChunkKind, ChunkState } from '../../connection/schema.ts';
import { isChunkDue } from '../../work/claim-chunk.ts';
import { isResultMissing } from '../../work/dead-work.ts';
import { isAlive } from '../../work/processes.ts';
import { getRunColumn } from '../../work/runs.ts';
import { isProvenBackup } from '../backup/kept-backups.ts';

const tablesMax = 15;

export type StoredMetrics = {
  /** Age in seconds of the oldest due chunk that no worker has claimed, by stage. 0 if there is no such chunk. */
  backlogSeconds: ReadonlyMap<Stage, number>;
  clockSkewSeconds: number;
  /** Age of the newest backup. Null if there is no backup. */
  backupSeconds: number | null;
  /** Age of the last restore check that found no difference. Null if there is none. */
  provenSeconds: number | null;
};

export async function readStoredMetrics(db: Db): Promise<StoredMetrics> {
  const ages: [Stage, number][] = [];
  for (const stage of stages) ages.push([stage, await backlogSeconds(db, stage)]);
  const row = await queryRow<Omit<StoredMetrics, 'backlogSeconds'>>(db)`
    select (select coalesce(max(clock_skew_ms), 0) from processes where ${isAlive}) / 1000.0::float8 as "clockSkewSeconds",
      (select greatest(0, extract(epoch from clock_timestamp() - max(taken_at)))::float8 from backups)
        as "backupSeconds",
      (select greatest(0, extract(epoch from clock_timestamp() - max(checked_at)))::float8 from backups
        where ${isProvenBackup}) as "provenSeconds"`;
  return { ...row, backlogSeconds: new Map(ages) };
}

/** Returns the age of the oldest due chunk, counted from the start of its run or from the end of its wait. */
const backlogSeconds = (db: Db, stage: Stage) =>
  queryValue<number>(db)`
    select coalesce(greatest(0, extract(epoch from clock_timestamp()
      - min(greatest(runs.started_at, chunks.not_before)))), 0)::float8 as seconds
    from chunks join imports on imports.id = chunks.import_id and imports.status = ${runningStatusOf(stage)}
    join runs on runs.import_id = imports.id and runs.stage = chunks.stage and runs.run = chunks.run
    where chunks.state = 'pending' and chunks.stage = ${stage} and chunks.kind <> 'task'
      and chunks.run = ${sql.ref(`imports.${getRunColumn(stage)}`)} and ${isChunkDue}`;

export type TableSize = { table: string; bytes: number };

/** Lists the largest tables, with indexes and TOAST. Reads sizes of the last vacuum or analyze, to avoid locks. */
export const listTableSizes = (db: Db) =>
  queryRows<TableSize>(db)`
    select tables.relname as table, (sum(parts.relpages) * current_setting('block_size')::int)::float8 as bytes
    from pg_class tables join pg_class parts on parts.oid in (tables.oid, tables.reltoastrelid)
      or parts.oid in (select indexrelid from pg_index where indrelid in (tables.oid, tables.reltoastrelid))
    where tables.relnamespace = current_schema()::regnamespace and tables.relkind = 'r'
    group by tables.relname order by bytes desc, tables.relname limit ${tablesMax}`;

type OpenChunks = { stage: Stage; kind: ChunkKind; state: ChunkState; count: number };

/** Counts pending, published and unresolved dead chunks. Lists kind `work` even if its count is 0. */
export const countOpenChunks = (db: Db) =>
  queryRows<OpenChunks>(db)`
    select stage, kind, state, (count(*) - count(*) filter (where is_zero))::int as count from (
      select stage, 'work' as kind, state, true as is_zero
        from unnest(${[...stages]}::text[]) as stage, unnest(array['pending','published','dead']) as state
      union all select stage, kind, state, false from chunks where state = 'pending' and kind <> 'task'
      union all select stage, kind, state, false from chunks
        where state = 'pending' and kind = 'task' and subject is null
      union all select stage, kind, state, false from chunks where state = 'published' and subject is null
      union all select chunks.stage, chunks.kind, chunks.state, false
        from chunks join import_records as imports on imports.id = chunks.import_id
        where chunks.state = 'dead' and ${isResultMissing}
    ) open group by stage, kind, state`;
