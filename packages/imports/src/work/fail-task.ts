import type { Db } from '@draftshelf/database/connection/database';
import type { ChunkRecord } from '@draftshelf/database/connection/schema';
import { abandonAsking } from '@draftshelf/database/enrich/ai/abandon-asking';
import { changeImport } from '@draftshelf/database/imports/imports';
import { markDead } from '@draftshelf/database/work/claim-chunk';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import { failCommandTask } from '../review/commands/fail-command-task.ts';

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
