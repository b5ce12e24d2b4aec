import { canDo, type ImportAction } from '@draftshelf/domain/imports/import-status';
import type { CommandTarget } from '@draftshelf/domain/review/operations/command-target';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import type { Db } from '../../connection/database.ts';
import type { EditCommandRecord, ImportRecord, LeftCells, LeftRows } from '../../connection/schema.ts';
import { changeImport, findImport, lockImport } from '../../imports/imports.ts';
import { blockedBy } from '../../work/blocking.ts';
import { enqueueCommandTask } from '../../work/command-tasks.ts';
import { currentRows } from '../../work/runs.ts';
import type { ChangeRefused } from '../change-refused.ts';
import { lockRows } from '../rows-lock.ts';
import { shownRun } from '../search/row-sql.ts';
import { applyInRequest } from './apply-in-request.ts';
import { countTarget, insertFilteredTarget, insertTargetRows } from './command-targets.ts';
import { insertCommandToApply } from './edit-commands.ts';
import { isSmallTarget } from './request-limits.ts';

/** Row numbers of another reading of the file mean other rows. */
export const isOfOtherRun = ({ rows_run }: Pick<ImportRecord, 'rows_run'>, target: CommandTarget): boolean =>
  'rows' in target && target.run !== rows_run;

/** `sinceEdit`: cells that others have edited after it are left; null: none is. */
export type BulkEdit = {
  target: CommandTarget;
  operations: Operation[];
  sinceEdit: number | null;
  author?: string | undefined;
};

/** `inBackground`: by a task of the import; the counts are still zero. */
export type CommandBegun = {
  ok: true;
  command: string;
  inBackground: boolean;
  rows: number;
  cells: number;
  left: LeftCells;
  leftRows: LeftRows['rows'];
};

/**
 * Applies operations to a target as one command, in the caller's transaction, which must roll back if they are refused.
 * Many rows are changed by a task, and until it has ended nothing else changes the import's rows.
 */
export async function beginCommand(
  db: Db,
  importId: string,
  { target, operations, sinceEdit, author }: BulkEdit,
): Promise<CommandBegun | ChangeRefused> {
  await lockRows(db, importId);
  const record = await findImport(db, importId);
  if (!record) return notEditable;
  const refused = await refusedNow(db, record, 'bulkEdit');
  if (refused) return refused;
  if (isOfOtherRun(record, target)) return { ok: false, reason: 'read again' };
  const command = await insertCommandToApply(
    db,
    importId,
    { kind: 'bulk', operations, target, sinceEdit, author },
    'rows',
  );
  const ofRun = { ...shownRun(record), command: command.id };
  if ('rows' in target) await insertTargetRows(db, ofRun, target.rows);
  else await insertFilteredTarget(db, ofRun, target);
  const total = await countTarget(db, ofRun);
  if (total === 0) return { ok: false, reason: 'no rows' };
  if (await isSmallTarget(db, ofRun, total)) {
    const applied = await applyInRequest(db, record, command);
    return (await lockAfter(db, importId, 'bulkEdit')) ?? begunWith(applied, false);
  }
  const task = { task: 'apply-command', command: command.id, total } as const;
  await enqueueCommandTask(db, currentRows(record), task);
  return (await lockAfter(db, importId, 'bulkEdit')) ?? begunWith(command, true);
}

const notEditable: ChangeRefused = { ok: false, reason: 'not editable now' };

export const begunWith = (
  { id, rows, edits, left_cells, left_rows }: EditCommandRecord,
  inBackground: boolean,
): CommandBegun => ({
  ...{ ok: true, command: id, inBackground },
  ...{ rows, cells: edits ?? 0, left: left_cells ?? {}, leftRows: left_rows?.rows ?? {} },
});

/** Returns the reason why an action is refused. The caller holds the lock of the import's rows. */
export async function refusedNow(
  db: Db,
  record: ImportRecord,
  action: ImportAction,
): Promise<ChangeRefused | undefined> {
  if (!canDo(action, record.status)) return notEditable;
  const sentence = await blockedBy(db, record, action);
  return sentence === undefined ? undefined : { ok: false, reason: 'blocked', sentence };
}

/** Locks the import last, because others wait for that lock. Refuses if a push or re-read has begun meanwhile. */
export async function lockAfter(
  db: Db,
  id: string,
  action: ImportAction,
): Promise<ChangeRefused | undefined> {
  const record = await lockImport(db, id);
  if (!record || !canDo(action, record.status)) return notEditable;
  // Screens list the task.
  await changeImport(db, id, {});
  return undefined;
}
