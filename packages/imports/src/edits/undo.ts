import { currentRows } from '@draftshelf/database/chunks/runs';
import {
  type Db,
  isBusy,
  isCancelledStatement,
  isDatabaseUnavailable,
} from '@draftshelf/database/connection/database';
import { followCommand, followDismissal } from '@draftshelf/database/enrich/decided-proposals';
import { changeImport, lockImport } from '@draftshelf/database/imports/imports';
import {
  findCommand,
  insertCommand,
  type NewCommand,
  setLeftValues,
  setState,
} from '@draftshelf/database/rows/edit-commands';
import { lockRows } from '@draftshelf/database/rows/rows-lock';
import {
  type EditedCell,
  findRowsOfEdits,
  insertEdits,
  listEditedRecords,
  readEditedCells,
} from '@draftshelf/database/rows/stored-edits';
import type { EditCommandRecord, ImportRecord, Schema } from '@draftshelf/database/schema';
import { canDo } from '@draftshelf/domain/import-status';
import type { Kysely } from 'kysely';
import { type Differs, type EditRefusal, type EditResult, editRows } from './edits.ts';

/** 'interrupted': the database was busy or not available after the first part. */
type UndoRefusal = EditRefusal | 'no such command' | 'undone already' | 'changed since' | 'interrupted';

type UndoRefused = { ok: false; reason: UndoRefusal } | Differs;

/** `rows`: the changed rows; `left`: cells that others have changed; `stopped`: why the last parts were not undone. */
export type UndoResult =
  | { ok: true; command: string; rows: number[]; left: number; stopped?: UndoRefused }
  | UndoRefused;

/** A command that is undone, or one whose undo is undone, which is a redo. */
type Undoing = {
  ok: true;
  record: ImportRecord;
  command: EditCommandRecord;
  /** The command whose edits are undone or applied again. */
  base: EditCommandRecord;
  kind: 'undo' | 'redo';
  author: string | undefined;
};

/** Locks an import and finds out whether a command can be undone. */
async function beginUndo(
  db: Db,
  importId: string,
  commandId: string,
  author: string | undefined,
): Promise<Undoing | UndoRefused> {
  await lockRows(db, importId);
  const record = await lockImport(db, importId);
  const command = record && (await findCommand(db, importId, commandId));
  if (!command) return { ok: false, reason: 'no such command' };
  const base = command.undoes === null ? command : await findCommand(db, importId, command.undoes);
  if (!base) throw new Error(`Command ${commandId} undoes a command that does not exist`);
  const kind = command.kind === 'undo' ? 'redo' : 'undo';
  const isInEffect = base.state === (kind === 'undo' ? 'applied' : 'undone');
  if (command.state === 'undone' || !isInEffect) return { ok: false, reason: 'undone already' };
  return { ok: true, record, command, base, kind, author };
}

type Undone = { command: string; left: number };

async function endUndo(db: Db, { record, command, base, kind }: Undoing, undone: Undone): Promise<void> {
  await setLeftValues(db, record.id, undone.command, undone.left);
  await setState(db, command, 'undone');
  await setState(db, base, kind === 'undo' ? 'undone' : 'applied');
}

/**
 * Undoes a command, in the caller's transaction: each of its edits is replaced by the one before it, or by none. What
 * another command has changed since stays, and is counted as `left`. Proposals that the command decided are open again.
 * The undo is a command too. Undoing that is the redo, which applies the edits of the first command again. `author`: of
 * the undo.
 */
export async function undoCommand(
  db: Db,
  importId: string,
  commandId: string,
  author?: string,
): Promise<UndoResult> {
  const undoing = await beginUndo(db, importId, commandId, author);
  if (!undoing.ok) return undoing;
  const cells = await readEditedCells(db, undoing.base);
  const undone =
    cells.length === 0 ? await undoDismissal(db, undoing) : await undoCells(db, undoing, cells, undefined);
  if (undone.ok) await endUndo(db, undoing, undone);
  return undone;
}

/** Records of one transaction of `undoInParts`, which locks the import's rows for as long as these take. */
const recordsPerPart = 250;

/** Whether a command is undone in parts, because its transaction would keep others waiting. */
export const isUndoneInParts = ({ rows }: Pick<EditCommandRecord, 'rows'>): boolean => rows > recordsPerPart;

/**
 * Like `undoCommand`, in several transactions of its own. If one is refused or interrupted, the parts before it stay
 * undone, and the command can be undone again. `db`: no transaction.
 */
export async function undoInParts(
  db: Kysely<Schema>,
  importId: string,
  commandId: string,
  author?: string,
): Promise<UndoResult> {
  const inTurn = <T>(work: (trx: Db, undoing: Undoing) => Promise<T>): Promise<T | UndoRefused> =>
    db.transaction().execute(async (trx) => {
      const undoing = await beginUndo(trx, importId, commandId, author);
      return undoing.ok ? work(trx, undoing) : undoing;
    });
  const command = await findCommand(db, importId, commandId);
  const records = command ? await listEditedRecords(db, importId, command.undoes ?? command.id) : [];
  const done = { command: undefined as string | undefined, rows: [] as number[], left: 0 };
  for (let from = 0; from < Math.max(1, records.length); from += recordsPerPart) {
    const part = records.slice(from, from + recordsPerPart);
    const isLast = from + recordsPerPart >= records.length;
    const turn = inTurn(async (trx, undoing) => {
      const undone = await undoPart(trx, undoing, part, done.command);
      if (isLast && undone.ok && undone.command !== undefined) {
        await endUndo(trx, undoing, { command: undone.command, left: done.left + undone.left });
      }
      return undone;
    });
    // An error of the first part is the caller's: nothing was undone.
    const undone = await (done.command === undefined ? turn : turn.catch(interruptedBy));
    if (!undone.ok) return stoppedBy(undone, done);
    done.command = undone.command;
    done.rows.push(...undone.rows);
    done.left += undone.left;
  }
  if (done.command === undefined) return { ok: false, reason: 'changed since' };
  return { ok: true, ...done, command: done.command };
}

/** What parts have undone together. `command`: undefined as long as others have changed everything. */
type PartsUndone = { command: string | undefined; rows: number[]; left: number };

/** Undoes the cells of some records. If others have changed all of them, the parts after it are undone nevertheless. */
async function undoPart(
  db: Db,
  undoing: Undoing,
  records: readonly number[],
  into: string | undefined,
): Promise<({ ok: true } & PartsUndone) | UndoRefused> {
  const cells = await readEditedCells(db, undoing.base, records);
  const undone = await undoCells(db, undoing, cells, into);
  if (undone.ok || undone.reason !== 'changed since') return undone;
  return { ok: true, command: into, rows: [], left: cells.length };
}

/** The result when a part was not undone: those before it stay undone. */
const stoppedBy = (stopped: UndoRefused, { command, ...done }: PartsUndone): UndoResult =>
  command === undefined ? stopped : { ok: true, ...done, command, stopped };

/** Throws an error again that a repetition would meet, too. */
function interruptedBy(error: unknown): UndoRefused {
  if (!isBusy(error) && !isCancelledStatement(error) && !isDatabaseUnavailable(error)) throw error;
  return { ok: false, reason: 'interrupted' };
}

/** Undoes cells of a command by a new command, or by `into`, which has undone other cells of it. */
async function undoCells(
  db: Db,
  { record, base, kind, author }: Undoing,
  cells: readonly EditedCell[],
  into: string | undefined,
): Promise<UndoneCells | UndoRefused> {
  const latest = cells.filter(({ is_latest }) => is_latest);
  if (latest.length === 0) return { ok: false, reason: 'changed since' };
  const rows = await findRowsOfEdits(db, currentRows(record), latest);
  const restored = ({ before, after }: EditedCell) => (kind === 'undo' ? before : after);
  const changes = latest.flatMap((cell) => {
    const row = rows.get(cell.byte_from);
    return row === undefined ? [] : [{ row, values: { [cell.field]: restored(cell) } }];
  });
  const command = { kind, undoes: base.id, id: into, author };
  const edited =
    changes.length === 0
      ? await editNoRow(db, record, command)
      : await editRows(db, record.id, command, changes);
  if (!edited.ok) return edited;
  // Rows that the current run does not have may return with another re-read.
  const gone = latest.filter(({ byte_from }) => !rows.has(byte_from));
  const restoredGone = gone.map((cell) => ({
    ...{ row: cell.row, byteFrom: cell.byte_from, field: cell.field },
    ...{ before: null, after: restored(cell), source: null },
  }));
  await insertEdits(db, record.id, edited.command, restoredGone);
  await followCommand(db, record.id, base.id, latest, kind);
  const changed = [...new Set(changes.map(({ row }) => row))];
  return { ...edited, rows: changed, left: cells.length - latest.length };
}

type UndoneCells = { ok: true; command: string; rows: number[]; left: number };

/** The command for cells whose rows the current run does not have. */
async function editNoRow(db: Db, record: ImportRecord, command: NewCommand): Promise<EditResult> {
  if (!canDo('edit', record.status)) return { ok: false, reason: 'not editable now' };
  return { ok: true, command: await insertCommand(db, record.id, command, 0) };
}

/** Undoes a command that changed no cell: it dismissed proposals. */
async function undoDismissal(db: Db, { record, base, kind, author }: Undoing): Promise<UndoResult> {
  const followed = await followDismissal(db, record.id, base.id, kind);
  if (followed === 0) return { ok: false, reason: 'changed since' };
  const command = await insertCommand(db, record.id, { kind, undoes: base.id, author }, 0);
  await changeImport(db, record.id, {});
  return { ok: true, command, rows: [], left: 0 };
}
