import { canDo, type ImportAction } from '@draftshelf/domain/imports/import-status';
import type { CommandTarget } from '@draftshelf/domain/review/operations/command-target';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import type { CommandStep } from '@draftshelf/domain/review/operations/recipe';
import type { Db } from '../../connection/database.ts';
import type { EditCommandRecord, ImportRecord } from '../../connection/schema.ts';
import { changeImport, findImport, lockImport } from '../../imports/imports.ts';
import { currentRows, type RunOfRows } from '../../work/runs.ts';
import { enqueueTask } from '../../work/tasks.ts';
import { type ChangeRefusal, findRefusal, notEditableRefusal } from '../change-refused.ts';
import { findProductsOfRows, haveMoreRows } from '../effective-rows.ts';
import { lockRows } from '../rows-lock.ts';
import { toShownRun } from '../search/row-sql.ts';
import { applyInRequest } from './apply-in-request.ts';
import { countTargetRows, insertTarget, readTargetRows } from './command-targets.ts';
import { insertCommandToApply } from './edit-commands.ts';
import { countEditsOfCommand, readEditedRowNumbers } from './stored-edits.ts';

/** Returns whether a target names rows by the numbers of another parse run, which may mean other rows now. */
export const isOtherRun = ({ rows_run }: Pick<ImportRecord, 'rows_run'>, target: CommandTarget): boolean =>
  'rows' in target && target.run !== rows_run;

/** `sinceEdit`: an edit id. Cells edited by other commands after this edit stay as they are. Null: all cells change. */
export type BulkEdit = {
  target: CommandTarget;
  operations: Operation[];
  sinceEdit: number | null;
  author?: string | undefined;
};

/** `inBackground`: a task applies the command, so the counts of the command are still zero. */
export type BeginCommandResult = { ok: true; command: EditCommandRecord; inBackground: boolean };

/**
 * Applies operations to a target as one command, in the caller's transaction, which must roll back on a refusal. If
 * there are many rows, a task changes them. Until the task ends, nothing else changes the import's rows.
 */
export async function beginCommand(
  db: Db,
  importId: string,
  { target, operations, sinceEdit, author }: BulkEdit,
): Promise<BeginCommandResult | ChangeRefusal> {
  await lockRows(db, importId);
  const record = await findImport(db, importId);
  if (!record) return notEditableRefusal;
  const refused = await findRefusal(db, record, 'bulkEdit');
  if (refused) return refused;
  if (isOtherRun(record, target)) return { ok: false, reason: 'read again' };
  const given = { kind: 'bulk', operations, target, sinceEdit, author } as const;
  const command = await insertCommandToApply(db, importId, given);
  const ofRun = { ...toShownRun(record), command: command.id };
  await insertTarget(db, ofRun, 'rows' in target ? target.rows : target);
  const total = await countTargetRows(db, ofRun);
  if (total === 0) return { ok: false, reason: 'no rows' };
  const isSmall =
    total <= requestRowsMax && (await areSmallProducts(db, ofRun, await readTargetRows(db, ofRun)));
  if (isSmall) {
    const applied = await applyInRequest(db, record, { command, base: command });
    if ('reason' in applied) return applied;
    const refusedAfter = await lockImportLast(db, importId, 'bulkEdit');
    return refusedAfter ?? { ok: true, command: applied.command, inBackground: false };
  }
  return enqueueCommand(db, record, command, total);
}

/** Enqueues the task that applies a command. `total`: its number of rows; null if unknown. Locks the import last. */
export async function enqueueCommand(
  db: Db,
  record: ImportRecord,
  command: EditCommandRecord,
  total: number | null,
): Promise<BeginCommandResult | ChangeRefusal> {
  await enqueueTask(db, currentRows(record), 'apply-command', total, { command: command.id });
  return (await lockImportLast(db, record.id, 'bulkEdit')) ?? { ok: true, command, inBackground: true };
}

/** Locks the import. Call it last, because others wait for this lock. Refuses if a push or a re-read has begun. */
export async function lockImportLast(db: Db, id: string, action: ImportAction) {
  const record = await lockImport(db, id);
  if (!record || !canDo(action, record.status)) return notEditableRefusal;
  // Screens list the task, so the import needs a new version.
  await changeImport(db, id, {});
  return undefined;
}

/**
 * Begins a command with steps. The command's task finds the rows of all steps before it changes any row. `author` is
 * undefined if no operator began the command. The caller has locked the import's rows. Returns the command's id.
 */
export async function beginStepsCommand(
  db: Db,
  record: ImportRecord,
  steps: CommandStep[],
  author: string | undefined,
): Promise<string> {
  const { id } = await insertCommandToApply(db, record.id, { kind: 'recipes', steps, author }, 'search');
  await enqueueTask(db, currentRows(record), 'apply-recipes', null, { command: id });
  return id;
}

// Row limit for a change within one request, because other requests wait for its locks. A task makes larger changes.
const requestRowsMax = 500;
/** Edit limit for an undo within one request, above the row limit because a pasted block has several edits per row. */
const requestEditsMax = 600;
const editsOfRowsMax = 1_500;
/** Row limit for the affected products, because products are validated and stored as a whole. */
const productRowsMax = 2_000;

/** Returns the number of a command's edits, and whether one request may undo or redo them. */
export async function measureUndo(db: Db, record: ImportRecord, base: EditCommandRecord) {
  const total = await countEditsOfCommand(db, base);
  const editsMax = base.rows > requestRowsMax ? requestEditsMax : editsOfRowsMax;
  if (total > editsMax) return { total, isSmall: false };
  // A re-read may have renumbered the rows, but the earlier numbers are exact enough to compare with a limit.
  const numbers = await readEditedRowNumbers(db, base);
  return { total, isSmall: await areSmallProducts(db, currentRows(record), numbers) };
}

/** Returns true for a single product of any size: a task would be no faster, because it never splits a product. */
async function areSmallProducts(db: Db, of: RunOfRows, numbers: readonly number[]): Promise<boolean> {
  const products = await findProductsOfRows(db, of, numbers);
  return products.length <= 1 || !(await haveMoreRows(db, of, products, productRowsMax));
}
