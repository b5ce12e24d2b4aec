import type { ImportAction } from '@draftshelf/domain/imports/import-status';
import { describeOperations } from '@draftshelf/domain/review/operations/operations-sentence';
import { leavingSentence } from '@draftshelf/domain/suppliers/leaving';
import { listBlockingTasks } from '@draftshelf/domain/work/task-catalog';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { findCommand } from '../review/commands/edit-commands.ts';
import { findLeavingSupplierOf } from '../suppliers/leaving-suppliers.ts';
import { findUnendedTask, type UnendedTask } from './tasks.ts';

/**
 * Returns why an action cannot begin, or undefined if it may: a task is unfinished, the supplier is being merged or
 * deleted, or rows or file were removed. The caller has locked the import or its rows: tasks begin and end under both
 * locks, and removals under the import's lock.
 */
export async function findBlockingReason(
  db: Db,
  record: Removable,
  action: ImportAction,
): Promise<string | undefined> {
  const importId = record.id;
  const removed = removedSentence(record, action);
  if (removed !== undefined) return removed;
  const leaving = blockedByLeaving.has(action) && (await findLeavingSupplierOf(db, importId));
  if (leaving) return leavingSentence(leaving);
  const task = await findUnendedTask(db, importId, listBlockingTasks(action));
  return task && sentenceOf(db, importId, task);
}

/** Actions refused while the import's supplier is being merged or deleted, because they use the supplier's items. */
const blockedByLeaving = new Set<ImportAction>([
  'reread',
  'push',
  'retry',
  'plan',
  'undoPush',
  'delete',
  'bulkEdit',
]);

type Removable = Pick<ImportRecord, 'id' | 'rows_removed_at' | 'file_removed_at' | 'deletion_began_at'>;

function removedSentence(record: Removable, action: ImportAction): string | undefined {
  const [rows, file] = [record.rows_removed_at !== null, record.file_removed_at !== null];
  if (record.deletion_began_at !== null) return 'This import is being deleted.';
  const needed = action === 'reread' ? file : rows && action !== 'delete' && action !== 'undoPush';
  if (!needed) return undefined;
  if (file) return 'The file of this import was removed, so it can’t be read again. Upload it again instead.';
  return 'The rows of this import were removed to save space. Choose Read Again first.';
}

async function sentenceOf(db: Db, importId: string, task: UnendedTask): Promise<string> {
  if (task.command === null) {
    return task.state === 'dead'
      ? 'This import couldn’t be made the supplier’s latest list. First retry or give up that work under Failed work.'
      : 'This import is becoming the supplier’s latest list. Wait until that has ended.';
  }
  const command = await findCommand(db, importId, task.command);
  const base = command?.undoes ? await findCommand(db, importId, command.undoes) : command;
  const name = base?.operations ? describeOperations(base.operations) : 'A change';
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
