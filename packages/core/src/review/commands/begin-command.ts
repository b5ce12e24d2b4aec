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
import { isCounted } from '../search/row-filter.ts';
import { findMatching } from '../search/row-page.ts';
import { applyInRequest } from './apply-in-request.ts';
import { countTarget, insertFilteredTarget, insertTargetRows, type TargetOfRun } from './command-targets.ts';
import { insertCommandToApply } from './edit-commands.ts';
import { isSmallTarget, requestRowsMax } from './request-limits.ts';
import { isOfOtherRun } from './target-run.ts';

/** Operations on the rows of a target. `sinceEdit`: cells that others have edited after it are left; null: none is. */
export type BulkEdit = {
  target: CommandTarget;
  operations: Operation[];
  sinceEdit: number | null;
  author?: string | undefined;
};

/** `inBackground`: a task of the import does it, and the counts are still zero. */
export type CommandBegun = {
  ok: true;
  command: string;
  inBackground: boolean;
  rows: number;
  cells: number;
  left: LeftCells;
  /** The first rows of these cells, by reason. */
  leftRows: LeftRows['rows'];
};

/** Time for the rows that hold a text. What takes longer is left to the task. */
const searchMsMax = 60;

/**
 * Applies operations to the rows of a target as one command, in the caller's transaction, which it must roll back if
 * they are refused. Few rows are changed at once; more by a task, and until that has ended the import's rows are not
 * changed by anything else.
 */
export async function beginCommand(
  db: Db,
  importId: string,
  { target, operations, sinceEdit, author }: BulkEdit,
): Promise<CommandBegun | ChangeRefused> {
  const before = await findImport(db, importId);
  const found = before && (await findTarget(db, before, target));
  await lockRows(db, importId);
  const record = await findImport(db, importId);
  if (!record || found === undefined || record.rows_run !== before?.rows_run) return notEditable;
  const refused = await refusedNow(db, record, 'bulkEdit');
  if (refused) return refused;
  if (isOfOtherRun(record, target)) return { ok: false, reason: 'read again' };
  const step = found === 'by task' ? 'search' : 'rows';
  const command = await insertCommandToApply(
    db,
    importId,
    { kind: 'bulk', operations, target, sinceEdit, author },
    step,
  );
  const ofRun = { ...currentRows(record), command: command.id };
  const total = found === 'by task' ? null : await insertTarget(db, ofRun, found);
  if (total === 0) return { ok: false, reason: 'no rows' };
  if (total !== null && (await isSmallTarget(db, ofRun, total))) {
    const applied = await applyInRequest(db, record, command);
    return (await lockAfter(db, importId, 'bulkEdit')) ?? begunWith(applied, false);
  }
  const task = { task: 'apply-command', command: command.id, total } as const;
  await enqueueCommandTask(db, currentRows(record), task);
  return (await lockAfter(db, importId, 'bulkEdit')) ?? begunWith(command, true);
}

const notEditable: ChangeRefused = { ok: false, reason: 'not editable now' };

/** A command as it was begun. */
export const begunWith = (
  { id, rows, edits, left_cells, left_rows }: EditCommandRecord,
  inBackground: boolean,
): CommandBegun => ({
  ...{ ok: true, command: id, inBackground },
  ...{ rows, cells: edits ?? 0, left: left_cells ?? {}, leftRows: left_rows?.rows ?? {} },
});

/** Why an action on an import is refused, whose rows the caller has locked. */
export async function refusedNow(
  db: Db,
  { id, status }: Pick<ImportRecord, 'id' | 'status'>,
  action: ImportAction,
): Promise<ChangeRefused | undefined> {
  if (!canDo(action, status)) return notEditable;
  const sentence = await blockedBy(db, id, action);
  return sentence === undefined ? undefined : { ok: false, reason: 'blocked', sentence };
}

/**
 * Locks the import after the work of this transaction, because others wait for that lock. Refuses what a push or a
 * re-read that has begun in the meantime does not allow.
 */
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

/** Row numbers; a filter by class and issue; or neither: reading takes so long that a task does it. */
type FoundTarget = number[] | Exclude<CommandTarget, { run: number }> | 'by task';

/** Finds the rows of a target without a lock: a search may take a while. */
async function findTarget(db: Db, record: ImportRecord, target: CommandTarget): Promise<FoundTarget> {
  if ('rows' in target) return target.rows;
  if (isCounted(target)) return target;
  const limits = { after: 0, limit: requestRowsMax, msMax: searchMsMax };
  const { rows, next } = await findMatching(db, record, target, limits);
  return next === null ? rows : 'by task';
}

/** Stores the rows of a target. Returns their number. */
async function insertTarget(
  db: Db,
  ofRun: TargetOfRun,
  found: Exclude<FoundTarget, 'by task'>,
): Promise<number> {
  if (Array.isArray(found)) await insertTargetRows(db, ofRun, found);
  else await insertFilteredTarget(db, ofRun, found);
  return countTarget(db, ofRun);
}
