import { listBlockingTasks } from '@draftshelf/domain/work/task-catalog';
import type { Db } from '../../connection/database.ts';
import type { EditCommandRecord, ImportRecord } from '../../connection/schema.ts';
import { changeImport, findImport, lockImport } from '../../imports/imports.ts';
import { currentRows } from '../../work/runs.ts';
import { dropTask, enqueueTask, findUnendedTask, reopenTask, type UnendedTask } from '../../work/tasks.ts';
import { type ChangeRefusal, findRefusal } from '../change-refused.ts';
import { applyCorrectionsAgain } from '../corrections/apply-corrections.ts';
import { redecideProposals } from '../proposals/decided-proposals.ts';
import { lockRows } from '../rows-lock.ts';
import { applyInRequest } from './apply-in-request.ts';
import { beginCommand, beginStepsCommand, lockImportLast, measureUndo } from './begin-command.ts';
import { removeCommandTargets } from './command-targets.ts';
import { changeCommand, findCommand, insertCommandToApply, readBaseCommand } from './edit-commands.ts';
import { markCommandApplied } from './end-command.ts';
import { countEditsOfCommand, readLastEditIdOfCommand } from './stored-edits.ts';

/** `left`: number of cells skipped because other commands changed them. If `inBackground`, `rows` is [], `left` 0. */
export type UndoResult =
  | { ok: true; command: string; kind: Undo; inBackground: boolean; rows: number[]; left: number }
  | ChangeRefusal;
type Undo = 'undo' | 'redo';

type Undoing = {
  record: ImportRecord;
  command: EditCommandRecord;
  /** The command whose edits are undone or applied again. */
  base: EditCommandRecord;
  kind: Undo;
  author: string | undefined;
  /** The task that still applies or undoes the command. The undo stops the task. */
  running: UnendedTask | undefined;
};

/**
 * Undoes a command in the caller's transaction, which must roll back on a refusal. In each cell, the previous edit, or
 * no edit, applies again, unless another command has changed the cell since. A command that is still being applied is
 * stopped first. The undo is itself a command; undoing the undo is a redo.
 */
export async function undoCommand(
  db: Db,
  importId: string,
  commandId: string,
  author?: string,
): Promise<UndoResult> {
  await lockRows(db, importId);
  const found = await findUndoing(db, importId, commandId);
  if ('reason' in found) return found;
  const { base, kind, running } = found;
  const { total, isSmall: isSmallUndo } = await measureUndo(db, found.record, base);
  const isSmall = isSmallUndo && !running;
  // A push reads its rows under the lock of the import, so it sees either all edits of a small undo or none of them.
  const locked = isSmall ? await lockImport(db, importId) : undefined;
  const undoing = { ...found, record: locked ?? found.record, author };
  const { record } = undoing;
  const refused = running ? undefined : await findRefusal(db, record, isSmall ? 'edit' : 'bulkEdit');
  if (refused) return refused;
  if (kind === 'redo' && base.progress !== null) return applyAgain(db, undoing);
  if (total === 0 && !running) return undoDismissal(db, undoing);
  if (isSmall) {
    const undone = await undoNow(db, undoing);
    return undone.ok ? ((await lockImportLast(db, importId, 'edit')) ?? undone) : undone;
  }
  if (running) {
    await dropTask(db, running);
    await giveUp(db, undoing.command);
  }
  const command = await enqueueUndo(db, undoing, total);
  const refusedAfter = await lockImportLast(db, importId, 'bulkEdit');
  return refusedAfter ?? { ok: true, command, kind, inBackground: true, rows: [], left: 0 };
}

async function findUndoing(
  db: Db,
  importId: string,
  commandId: string,
): Promise<Omit<Undoing, 'author'> | ChangeRefusal> {
  const record = await findImport(db, importId);
  const command = record && (await findCommand(db, importId, commandId));
  if (!command) return { ok: false, reason: 'no such command' };
  const base = await readBaseCommand(db, command);
  const kind = command.kind === 'undo' ? 'redo' : 'undo';
  const running = await findUnendedTask(db, importId, listBlockingTasks('edit'));
  if (running?.command === command.id) {
    // The base was stopped half-way. Its undo must end before a redo, because otherwise half of the edits would stay.
    const isStopping = kind === 'redo' && base.progress !== null;
    return isStopping ? { ok: false, reason: 'undone already' } : { record, command, base, kind, running };
  }
  if (running?.command === base.id || base.state === 'undoing')
    return { ok: false, reason: 'undone already' };
  const isInEffect = base.state === (kind === 'undo' ? 'applied' : 'undone');
  if (command.state === 'undone' || (!isInEffect && !running)) return { ok: false, reason: 'undone already' };
  return { record, command, base, kind, running: undefined };
}

/** Ends a command of which its task has applied only a part. Edits made so far stay. */
async function giveUp(db: Db, command: EditCommandRecord): Promise<void> {
  await removeCommandTargets(db, command);
  if (command.undoes !== null) await changeCommand(db, command, { state: 'undone' });
}

async function enqueueUndo(
  db: Db,
  { record, base, kind, author }: Pick<Undoing, 'record' | 'base' | 'kind' | 'author'>,
  total: number,
): Promise<string> {
  const { id } = await insertCommandToApply(db, record.id, { kind, undoes: base.id, author });
  await changeCommand(db, base, { state: kind === 'undo' ? 'undoing' : 'applying' });
  await enqueueTask(db, currentRows(record), 'undo-command', total, { command: id });
  return id;
}

/** Undoes a command of a cancelled import. The caller has locked the import's rows, and ends the command's task. */
export async function undoCancelledCommand(
  db: Db,
  record: ImportRecord,
  command: EditCommandRecord,
): Promise<void> {
  const base = await readBaseCommand(db, command);
  await giveUp(db, command);
  const undone = { record, base, kind: 'undo', author: undefined } as const;
  await enqueueUndo(db, undone, await countEditsOfCommand(db, base));
}

async function undoNow(db: Db, { record, base, kind, author }: Undoing): Promise<UndoResult> {
  const begun = await insertCommandToApply(db, record.id, { kind, undoes: base.id, author });
  const undone = await applyInRequest(db, record, { command: begun, base });
  if ('reason' in undone) return undone;
  const { command, rows } = undone;
  const left = command.left_cells?.['changed-since'] ?? 0;
  if (command.edits === 0) return { ok: false, reason: 'changed since' };
  return { ok: true, command: command.id, kind, inBackground: false, rows, left };
}

async function undoDismissal(db: Db, { record, base, kind, author }: Undoing): Promise<UndoResult> {
  const followed = await redecideProposals(db, record.id, base.id, 'dismissed', kind);
  // Refuses if no proposal was reopened, except for bulk commands and corrections, which may have changed nothing.
  if (followed === 0 && base.operations === null && base.kind !== 'corrections')
    return { ok: false, reason: 'changed since' };
  const command = await insertCommandToApply(db, record.id, { kind, undoes: base.id, author });
  await markCommandApplied(db, command);
  await changeImport(db, record.id, {});
  return { ok: true, command: command.id, kind, inBackground: false, rows: [], left: 0 };
}

/** Applies a stopped command again, by a new command. Cells edited since the undo stay as they are. */
async function applyAgain(db: Db, { record, command, base, kind, author }: Undoing): Promise<UndoResult> {
  const { steps, operations, target } = base;
  await changeCommand(db, command, { state: 'undone' });
  if (steps) {
    const again = steps.map((step) => ({ ...step, rows: 0 }));
    const id = await beginStepsCommand(db, record, again, author ?? base.author ?? undefined);
    const refused = await lockImportLast(db, record.id, 'bulkEdit');
    return refused ?? { ok: true, command: id, kind, inBackground: true, rows: [], left: 0 };
  }
  const given = { sinceEdit: (await readLastEditIdOfCommand(db, command)) ?? base.since_edit, author };
  const begun =
    operations && target
      ? await beginCommand(db, record.id, { operations, target, ...given })
      : await applyCorrectionsAgain(db, base, given);
  if (!begun.ok) return begun;
  const left = Object.values(begun.command.left_cells ?? {}).reduce((sum, cells) => sum + cells, 0);
  return { ok: true, command: begun.command.id, kind, inBackground: begun.inBackground, rows: [], left };
}

/** Reopens the dead task of a command, in the caller's transaction. */
export async function resumeCommand(
  db: Db,
  importId: string,
  commandId: string,
): Promise<{ ok: true } | ChangeRefusal> {
  await lockRows(db, importId);
  const task = await findUnendedTask(db, importId, listBlockingTasks('edit'));
  if (task?.command !== commandId) {
    const isKnown = (await findCommand(db, importId, commandId)) !== undefined;
    return { ok: false, reason: isKnown ? 'not stopped' : 'no such command' };
  }
  if (task.state !== 'dead') return { ok: false, reason: 'not stopped' };
  await reopenTask(db, task);
  await changeImport(db, importId, {});
  return { ok: true };
}
