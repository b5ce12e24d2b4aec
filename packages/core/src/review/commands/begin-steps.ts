import type { CommandStep } from '@draftshelf/domain/review/operations/recipe';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { enqueueCommandTask } from '../../work/command-tasks.ts';
import { currentRows } from '../../work/runs.ts';
import { insertCommandToApply } from './edit-commands.ts';

/**
 * Begins a command of several steps, each with rows of its own, which a task finds before the first one is changed.
 * `author`: undefined if nobody has asked for it. The caller holds the lock of the import's rows. Returns its id.
 */
export async function beginSteps(
  db: Db,
  record: ImportRecord,
  steps: CommandStep[],
  author: string | undefined,
): Promise<string> {
  const { id } = await insertCommandToApply(db, record.id, { kind: 'recipes', steps, author }, 'search');
  await enqueueCommandTask(db, currentRows(record), { task: 'apply-recipes', command: id, total: null });
  return id;
}
