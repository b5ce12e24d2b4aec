import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { isLive, isShown } from '../work/processes.ts';

const processesMax = 200;
const failuresMax = 20;

/** `live`: the last heartbeat is recent. */
export async function listProcesses(db: Db) {
  return db
    .selectFrom('processes')
    .select(['kind', 'host', 'pid', 'version', 'slots', 'started_at', 'seen_at', 'waiting_for'])
    .select(isLive.as('live'))
    .where(isShown)
    .orderBy('kind')
    .orderBy('started_at')
    .limit(processesMax)
    .execute();
}

export async function countImportsByStatus(db: Db): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('imports')
    .select(['status', sql<number>`count(*)::int`.as('count')])
    .groupBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

export async function countChunksByState(db: Db) {
  return db
    .selectFrom('chunks')
    .select(['stage', 'kind', 'state', sql<number>`count(*)::int`.as('count')])
    .where('subject', 'is', null)
    .groupBy(['stage', 'kind', 'state'])
    .orderBy('stage')
    .orderBy('kind')
    .orderBy('state')
    .execute();
}

export async function listFailures(db: Db) {
  return db
    .selectFrom('import_records')
    .select(['id', 'stage', 'error_message', 'completed_at'])
    .where('status', '=', 'failed')
    .orderBy(sql`completed_at desc nulls last`)
    .limit(failuresMax)
    .execute();
}
