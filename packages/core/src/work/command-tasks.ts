import { type TaskKind, taskCatalog } from '@draftshelf/domain/work/task-catalog';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord } from '../connection/schema.ts';
import { heldBy } from './claim-chunk.ts';
import { notifyChunks } from './notify-chunks.ts';
import type { RunOfRows } from './runs.ts';
import { droppedTasks } from './tasks.ts';

/** A task that is open or dead, with the command that it applies or undoes. */
export type UnendedTask = Pick<ChunkRecord, 'id' | 'state' | 'done' | 'total' | 'stage' | 'command'>;

/**
 * Inserts the task that applies or undoes a command. `total`: its rows or edits, if known. Lock the import's rows
 * first, then the task, and the import last, as its parts do.
 */
export async function enqueueCommandTask(
  db: Db,
  { import_id, run }: RunOfRows,
  { task, command, total }: { task: TaskKind; command: string; total: number | null },
): Promise<void> {
  const { stage } = taskCatalog[task];
  await db
    .insertInto('chunks')
    .values({ import_id, stage, run, kind: 'task', task, command, total, sequence: -1 })
    .execute();
  await notifyChunks(db, stage);
}

/** Returns the first open or dead task of some kinds of an import. */
export async function findUnendedTask(
  db: Db,
  importId: string,
  tasks: readonly TaskKind[],
): Promise<UnendedTask | undefined> {
  return db
    .selectFrom('chunks')
    .select(['id', 'state', 'done', 'total', 'stage', 'command'])
    .where('import_id', '=', importId)
    .where('kind', '=', 'task')
    .where('task', 'in', tasks)
    .where('state', 'in', ['pending', 'published', 'dead'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Stores how many rows a task processes. Call it after lockHeld. */
export async function setTaskTotal(db: Db, chunk: ChunkRecord, total: number): Promise<void> {
  await db.updateTable('chunks').set({ total }).where(heldBy(chunk)).execute();
}

/** Ends a task without a result. The caller has locked the import's rows. */
export async function dropTask(db: Db, { id }: Pick<UnendedTask, 'id'>): Promise<void> {
  await droppedTasks(db)
    .where('id', '=', id)
    .where('state', 'in', ['pending', 'published', 'dead'])
    .execute();
}

/** Continues a dead task where it was. The caller has locked the import's rows. */
export async function reopenTask(db: Db, { id, stage }: Pick<UnendedTask, 'id' | 'stage'>): Promise<void> {
  await db
    .updateTable('chunks')
    .set({
      state: 'pending',
      publication: sql`publication + 1`,
      attempts: 0,
      claims: 0,
      claims_with_progress: 0,
      waits: 0,
      not_before: null,
      error: null,
      retries: sql`retries + 1`,
      ended_at: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'dead')
    .execute();
  await notifyChunks(db, stage);
}
