import type { Db, OpenDatabase } from '@draftshelf/core/connection/database';
import type { ChunkRecord } from '@draftshelf/core/connection/schema';
import { claimChunk } from '@draftshelf/core/work/claim-chunk';
import type { RunOfRows } from '@draftshelf/core/work/runs';
import { enqueueTask } from '@draftshelf/core/work/tasks';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';

/** Enqueues a task of a run's rows and claims it, as a worker does. */
export async function claimTask(
  { db }: OpenDatabase,
  run: RunOfRows,
  task: TaskKind,
  total?: number,
): Promise<ChunkRecord> {
  await enqueueTask(db, run, task, total);
  return claimOpenTask(db, run.import_id, task);
}

/** Claims the task of an import that waits. */
export async function claimOpenTask(db: Db, importId: string, task: TaskKind): Promise<ChunkRecord> {
  const { id, publication } = await db
    .selectFrom('chunks')
    .select(['id', 'publication'])
    .where('import_id', '=', importId)
    .where('task', '=', task)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow();
  const claimed = await claimChunk(db, { id, publication });
  if (!claimed) throw new Error(`Task ${id} could not be claimed`);
  return claimed;
}
