import type { ImportAction } from '@draftshelf/domain/imports/import-status';
import { operationsSentence } from '@draftshelf/domain/review/operations/operations-sentence';
import { leavingSentence } from '@draftshelf/domain/suppliers/leaving';
import { tasksThatBlock } from '@draftshelf/domain/work/task-catalog';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { findCommand } from '../review/commands/edit-commands.ts';
import { findLeavingOf } from '../suppliers/leaving-suppliers.ts';
import { findUnendedTask, type UnendedTask } from './command-tasks.ts';

/**
 * Why an action has to wait for a task of an import, or cannot be done because something was removed, as a sentence;
 * undefined if it can. Call it when the import or its rows are locked: such a task begins and ends under both locks,
 * and a removal under the import's.
 */
export async function blockedBy(
  db: Db,
  record: Removable,
  action: ImportAction,
): Promise<string | undefined> {
  const importId = record.id;
  const removed = removedSentence(record, action);
  if (removed !== undefined) return removed;
  const leaving = blockedByLeaving.has(action) && (await findLeavingOf(db, importId));
  if (leaving) return leavingSentence(leaving);
  const task = await findUnendedTask(db, importId, tasksThatBlock(action));
  return task && sentenceOf(db, importId, task);
}

/** What changes the items of an import's supplier, or relies on them, waits until that is merged or deleted. */
const blockedByLeaving = new Set<ImportAction>([
  'reread',
  'push',
  'retry',
  'plan',
  'undoPush',
  'delete',
  'bulkEdit',
]);

/** What of an import was removed, or is being removed. */
type Removable = Pick<ImportRecord, 'id' | 'rows_removed_at' | 'file_removed_at' | 'deletion_began_at'>;

/** Why an action cannot be done without what was removed. */
function removedSentence(record: Removable, action: ImportAction): string | undefined {
  const [rows, file] = [record.rows_removed_at !== null, record.file_removed_at !== null];
  if (record.deletion_began_at !== null) return 'This import is being deleted.';
  const needed = action === 'reread' ? file : rows && action !== 'delete' && action !== 'undoPush';
  if (!needed) return undefined;
  if (file) return 'The file of this import was removed, so it can’t be read again. Upload it again instead.';
  return 'The rows of this import were removed to save space. Choose Read Again first.';
}

/** What a task does and how far it is, as a sentence for those who have to wait. */
async function sentenceOf(db: Db, importId: string, task: UnendedTask): Promise<string> {
  if (task.command === null) {
    return task.state === 'dead'
      ? 'Making it the supplier’s latest list has failed. Retry that under Failed work first, or give it up there.'
      : 'It is being made the supplier’s latest list. Wait until that has ended.';
  }
  const command = await findCommand(db, importId, task.command);
  const base = command?.undoes ? await findCommand(db, importId, command.undoes) : command;
  const name = base?.operations ? operationsSentence(base.operations) : 'A change';
  const percent = percentOf(task);
  const at = percent === null ? '' : ` (${percent} %)`;
  const isUndo = command?.kind === 'undo';
  if (task.state === 'dead') {
    const next = isUndo ? 'Resume it' : 'Resume or undo it';
    return `${isUndo ? 'Undoing a change' : name} has stopped before its end${at}. ${next} first.`;
  }
  if (isUndo) return `${name} is being undone${at}. Wait until that has ended.`;
  return `${name} is being applied${at}. Wait until it has ended, or stop it.`;
}

function percentOf({ done, total }: Pick<UnendedTask, 'done' | 'total'>): number | null {
  return total === null || total === 0 ? null : Math.min(99, Math.floor((100 * done) / total));
}
