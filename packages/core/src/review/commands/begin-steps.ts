import type { CommandStep } from '@draftshelf/domain/review/operations/recipe';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { enqueueCommandTask } from '../../work/command-tasks.ts';
import { currentRows } from '../../work/runs.ts';
import { insertCommandToApply } from './edit-commands.ts';

/**
 * A task finds the rows of each step before the first one is changed. `author`: undefined if no operator has begun it.
 * The caller holds the lock of the import's rows. Returns the command's id.
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
