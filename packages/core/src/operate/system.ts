import type { Selectable } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import type { ChunkRecord, ImportRecord, ProcessesTable } from '../connection/schema.ts';
import { isAlive, isShownProcess } from '../work/processes.ts';

const processesMax = 200;
const failuresMax = 20;

/** Lists processes. `live` is true if the last heartbeat of the process is recent. */
export const listProcesses = (db: Db) =>
  queryRows<Selectable<ProcessesTable> & { live: boolean }>(db)`
    select *, ${isAlive} as live from processes
    where ${isShownProcess} order by kind, started_at limit ${processesMax}`;

export async function countImportsByStatus(db: Db): Promise<Record<string, number>> {
  const rows = await queryRows<{ status: string; count: number }>(db)`
    select status, count(*)::int as count from imports group by status`;
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

export const countChunksByState = (db: Db) =>
  queryRows<Pick<ChunkRecord, 'stage' | 'kind' | 'state'> & { count: number }>(db)`
    select stage, kind, state, count(*)::int as count from chunks where subject is null
    group by stage, kind, state order by stage, kind, state`;

export const listFailedImports = (db: Db) =>
  queryRows<Pick<ImportRecord, 'id' | 'stage' | 'error_message' | 'completed_at'>>(db)`
    select id, stage, error_message, completed_at from import_records where status = 'failed'
    order by completed_at desc nulls last limit ${failuresMax}`;
