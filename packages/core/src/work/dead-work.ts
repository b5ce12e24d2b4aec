import { importActions } from '@draftshelf/domain/imports/import-status';
import { stages } from '@draftshelf/domain/imports/stages';
import { type TaskKind, tasksDroppedByNewRun } from '@draftshelf/domain/work/task-catalog';
import { sql } from 'kysely';
import { ago } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, ImportRecord } from '../connection/schema.ts';
import { runColumn } from './runs.ts';
import { droppedTasks } from './tasks.ts';

/** A dead chunk whose result is still missing, with its import. */
export type DeadChunk = Pick<
  ChunkRecord,
  | 'id'
  | 'import_id'
  | 'stage'
  | 'kind'
  | 'task'
  | 'first_row'
  | 'rows'
  | 'first_product'
  | 'products'
  | 'done'
  | 'total'
  | 'attempts'
  | 'error'
  | 'ended_at'
> &
  Pick<ImportRecord, 'filename' | 'status'>;

/** Dead chunks that are counted; beyond it there are "more". */
export const deadCountedMax = 1_000;

const currentRun = sql.join(
  stages.map((stage) => sql`when ${stage}::text then ${sql.ref(`imports.${runColumn(stage)}`)}`),
  sql` `,
);

/**
 * SQL condition on chunks and imports: somebody still misses what a dead chunk should have done. The chunks of earlier
 * runs, of stages that were repeated, and tasks about rows that were replaced are history.
 */
export const isMissed = sql<boolean>`case when chunks.kind = 'task'
  then chunks.task <> all(${tasksDroppedByNewRun}::text[]) or chunks.run = imports.rows_run
  else chunks.stage = imports.stage and chunks.run = case chunks.stage ${currentRun} end
    and imports.status = any(${importActions.giveUp}::text[]) end`;

const deadWork = (db: Db) =>
  db
    .selectFrom('chunks')
    .innerJoin('import_records as imports', 'imports.id', 'chunks.import_id')
    // A literal, so that every plan may use the index of dead chunks.
    .where(sql<boolean>`chunks.state = 'dead'`)
    .where(isMissed);

/** A page of dead chunks and tasks of all imports, newest first. `before`: the last id of the page before. */
export async function listDeadWork(
  db: Db,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<DeadChunk[]> {
  return deadWork(db)
    .select(['chunks.id', 'chunks.import_id', 'chunks.stage', 'chunks.kind', 'chunks.task'])
    .select(['chunks.first_row', 'chunks.rows', 'chunks.first_product', 'chunks.products'])
    .select(['chunks.done', 'chunks.total', 'chunks.attempts', 'chunks.error', 'chunks.ended_at'])
    .select(['imports.filename', 'imports.status'])
    .$if(before !== undefined, (query) => query.where('chunks.id', '<', before ?? 0))
    .orderBy('chunks.id', 'desc')
    .limit(limit)
    .execute();
}

/** How many chunks and tasks are dead and missed, at most `deadCountedMax`. `withinMs`: that died in this time. */
export async function countDeadWork(db: Db, withinMs?: number): Promise<number> {
  const dead = deadWork(db)
    .select('chunks.id')
    .$if(withinMs !== undefined, (query) => query.where('chunks.ended_at', '>', ago(withinMs ?? 0)))
    .limit(deadCountedMax);
  const { count } = await db
    .selectFrom(dead.as('dead'))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** A dead task of an import. */
export type DeadTask = Pick<ChunkRecord, 'id' | 'stage' | 'run' | 'command'> & { task: TaskKind };

/** The dead tasks of an import, oldest first. */
export async function listDeadTasks(db: Db, importId: string): Promise<DeadTask[]> {
  const rows = await deadWork(db)
    .select(['chunks.id', 'chunks.stage', 'chunks.run', 'chunks.command', 'chunks.task'])
    .where('chunks.import_id', '=', importId)
    .where('chunks.kind', '=', 'task')
    .orderBy('chunks.id')
    .execute();
  return rows.flatMap(({ task, ...row }) => (task === null ? [] : [{ ...row, task }]));
}

/** Ends a dead task without its result. The caller has locked the import. */
export async function dropDeadTask(db: Db, { id }: Pick<DeadTask, 'id'>): Promise<void> {
  await droppedTasks(db).where('id', '=', id).where('state', '=', 'dead').execute();
}
