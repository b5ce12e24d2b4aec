import type { Db } from '../../connection/database.ts';
import type { EditCommandRecord, ImportRecord, UnchangedCells } from '../../connection/schema.ts';
import { currentRows } from '../../work/runs.ts';
import type { ChangeRefusal } from '../change-refused.ts';
import { getEditableValue, listProductsInPush } from '../edits.ts';
import type { EffectiveRow } from '../effective-rows.ts';
import { redecideProposals, withdrawSupplierProposals } from '../proposals/decided-proposals.ts';
import { applyCellEdits } from './apply-cells.ts';
import { type AppliedCommandPart, applyToNextRows } from './apply-part.ts';
import { computeNextBatch, requireProgress, storeCommandPart } from './edit-commands.ts';
import { type EditedCell, findRowsOfEdits, type NewEdit, readCellsOfCommand } from './stored-edits.ts';
import { readWholeProducts } from './whole-products.ts';

/** `base`: the command whose edits an undo or redo changes. If the command is neither, `base` is the command itself. */
export type CommandWithBase = { command: EditCommandRecord; base: EditCommandRecord };

/** Applies a command to its next rows. An undo or redo restores the next cells of `base`. Null if nothing is left. */
export async function applyNextPart(
  db: Db,
  record: ImportRecord,
  { command, base }: CommandWithBase,
  limit: number,
): Promise<(AppliedCommandPart & { command: EditCommandRecord }) | ChangeRefusal | null> {
  const since = performance.now();
  const part =
    command.undoes === null
      ? await applyToNextRows(db, record, command, limit)
      : await undoNextEdits(db, record, { command, base }, limit);
  if (part === null || 'reason' in part) return part;
  const before = requireProgress(command);
  const stored = await storeCommandPart(db, command, part, {
    ...{ ...before, ...part.progress },
    batch: computeNextBatch(limit, performance.now() - since),
    pictured: before.pictured || part.changed.pictured,
  });
  return { ...part, command: stored };
}

/**
 * Restores the next cells of an undo or redo, about `limit` of them. Cells that other commands have changed since are
 * left as they are and counted. Returns null if no cell is left. Refuses if one of the products is being sent. The
 * caller has locked the import's rows, and updates the counts last, because that locks the import.
 */
async function undoNextEdits(
  db: Db,
  record: ImportRecord,
  { command, base }: CommandWithBase,
  limit: number,
): Promise<AppliedCommandPart | ChangeRefusal | null> {
  const { at } = requireProgress(command);
  const of = currentRows(record);
  const isUndo = command.kind === 'undo';
  const next = await readCellsOfCommand(db, base, { after: at, limit, isUndo });
  if (next.length === 0) return null;
  const undisputed = next.filter(({ is_latest }) => is_latest);
  const found = await findRowsOfEdits(db, of, undisputed);
  const numberOf = ({ byte_from, is_latest }: EditedCell) => (is_latest ? found.get(byte_from) : undefined);
  const numbers = next.flatMap((cell) => numberOf(cell) ?? []);
  const products = await readWholeProducts(db, of, [...new Set(numbers)], limit);
  const before = new Map(products.flat().map((row) => [row.row, row]));
  const firsts = new Map(products.flatMap(([first]) => (first ? [[first.product, first] as const] : [])));
  if ((await listProductsInPush(db, record, { firsts })).size > 0) return { ok: false, reason: 'being sent' };
  const open = next.findIndex((cell) => !before.has(numberOf(cell) ?? 0) && numberOf(cell) !== undefined);
  const cells = open === -1 ? next : next.slice(0, open);
  const latest = cells.filter(({ is_latest }) => is_latest);
  const edits = latest.map((cell) => restored(cell, before.get(numberOf(cell) ?? 0)));
  const changed = await applyCellEdits(db, record, command.id, { edits, before: [...before.values()] });
  await followUndo(db, { command, base }, latest);
  const rows = [...new Set(latest.flatMap((cell) => numberOf(cell) ?? []))];
  const newer = cells.length - latest.length;
  const left: UnchangedCells = newer === 0 ? {} : { 'changed-since': newer };
  const progress = { at: cells.at(-1)?.id ?? at };
  return { done: cells.length, changed, rows, edits: edits.length, left, progress };
}

/** Updates proposals. Undoing a carried value withdraws the supplier's proposal; redoing it reopens the proposal. */
async function followUndo(
  db: Db,
  { command, base }: CommandWithBase,
  cells: readonly EditedCell[],
): Promise<void> {
  const { import_id: importId, kind } = command;
  const isCarried = base.kind === 'carried';
  if (isCarried && kind === 'undo') await withdrawSupplierProposals(db, importId, cells, base.id);
  else await redecideProposals(db, importId, base.id, cells, isCarried || kind === 'undo' ? 'undo' : 'redo');
}

/** Builds the edit that restores a cell. `row` is undefined if the current run does not contain the cell's record. */
function restored(cell: EditedCell, row: EffectiveRow | undefined): NewEdit {
  const { byte_from: byteFrom, field, after, source, set_at } = cell;
  return {
    row: row?.row ?? cell.row,
    byteFrom,
    field,
    before: row ? getEditableValue(row, field) : null,
    ...{ after, source },
    setAt: set_at?.toISOString(),
  };
}
