import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord } from '../connection/schema.ts';
import { abandonAsking } from '../enrich/ai/abandon-asking.ts';
import { changeImport } from '../imports/imports.ts';
import { failCommandTask } from '../review/commands/fail-command-task.ts';
import { markDead } from './claim-chunk.ts';

/** What else ends when tasks of a kind fail for good. */
const onFailed: Partial<Record<TaskKind, (db: Db, importId: string) => Promise<unknown>>> = {
  'ask-ai': (db, importId) =>
    abandonAsking(db, importId, 'Asking ended because of an internal error. Ask again to go on.'),
};

/** Marks a task dead with its cause, which its import shows. Throws ChunkFenced if the claim was lost. */
export async function failTask(db: Db, chunk: ChunkRecord, cause: string): Promise<void> {
  const { command, task, import_id } = chunk;
  if (command !== null) return failCommandTask(db, { ...chunk, command }, cause);
  await changeImport(db, import_id, {});
  if (task !== null) await onFailed[task]?.(db, import_id);
  await markDead(db, chunk, cause);
}
