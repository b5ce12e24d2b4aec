import type { CellChange } from '@draftshelf/domain/review/operations/apply-operations';
import type { FillDownCarry } from '@draftshelf/domain/review/operations/operation-row';
import type { CommandStep } from '@draftshelf/domain/review/operations/recipe';
import type { Db } from '../../connection/database.ts';
import type { EditCommandRecord, ImportRecord, UnchangedCells } from '../../connection/schema.ts';
import { currentRows } from '../../work/runs.ts';
import { correctProducts } from '../corrections/correction-lines.ts';
import type { EffectiveRow } from '../effective-rows.ts';
import { withdrawSupplierProposals } from '../proposals/decided-proposals.ts';
import { applyCellEdits, type ChangedRows, type EditsWithRows } from './apply-cells.ts';
import { filterTargetRows, readNextTargetRows, readStepRows, removeTargetRows } from './command-targets.ts';
import { type CommandPart, requireProgress, storeSteps } from './edit-commands.ts';
import { applySteps, type ChangedProduct, operateOnProducts } from './operate.ts';
import { type NewEdit, readCellsEditedSince, readOperatorCells } from './stored-edits.ts';
import { readWholeProducts, type WholeProduct } from './whole-products.ts';

/** `done`: how many of the target's rows are done. For an undo, how many edits have been restored. */
export type AppliedCommandPart = CommandPart & { done: number; changed: ChangedRows };

/**
 * Applies a command to the next products of its target, about `limit` rows. Returns null if no row is left. The caller
 * has locked the import's rows, and updates the counts last, because that locks the import.
 */
export async function applyToNextRows(
  db: Db,
  record: ImportRecord,
  command: EditCommandRecord,
  limit: number,
): Promise<AppliedCommandPart | null> {
  const of = currentRows(record);
  const target = { ...of, command: command.id };
  const numbers = await readNextTargetRows(db, target, limit);
  if (numbers.length === 0) return null;
  const products = await readWholeProducts(db, of, numbers, limit);
  const rows = products.flat();
  const all = rows.map(({ row }) => row);
  const targeted = await filterTargetRows(db, target, all);
  const { operated, carries, steps } = await operateOn(db, record, command, { products, targeted });
  const changedSince = await readChangedSince(db, command, rows);
  const { changes, left, rows: leftRows } = withoutNewer(operated, changedSince);
  const cells = cellsOf(operated, changes);
  const changed = await applyCellEdits(db, record, command.id, cells);
  await withdrawSupplierProposals(db, record.id, cells.edits, command.id);
  // A product's rows may be far apart, so this part may include rows of later parts. These must not be changed twice.
  await removeTargetRows(db, target, [...targeted]);
  if (steps) await storeSteps(db, command, steps);
  return {
    ...{ done: targeted.size, changed, rows: [...new Set(changes.map(({ row }) => row))] },
    ...{ edits: changes.length, left, leftRows: { run: of.run, rows: leftRows } },
    progress: { carry: operated.at(-1)?.carry ?? null, ...(steps && { carries }) },
  };
}

type Part = { products: readonly WholeProduct[]; targeted: ReadonlySet<number> };

async function operateOn(
  db: Db,
  record: ImportRecord,
  command: EditCommandRecord,
  { products, targeted }: Part,
): Promise<{ operated: ChangedProduct[]; carries: (FillDownCarry | null)[]; steps: CommandStep[] | null }> {
  const { carry, carries = [] } = requireProgress(command);
  const { operations, steps } = command;
  if (command.kind === 'corrections')
    return { operated: await correctProducts(db, command, products), carries, steps: null };
  if (steps === null) {
    const isInTarget = (row: number) => targeted.has(row);
    const operated = operateOnProducts(db, record, operations ?? [], { products, isInTarget, carry });
    return { operated: await Array.fromAsync(operated), carries, steps };
  }
  const rows = products.flat();
  const offsets = rows.map(({ byte_from }) => byte_from);
  const own = await readOperatorCells(db, record.id, command.id, offsets);
  const target = { ...currentRows(record), command: command.id };
  const numbers = rows.map(({ row }) => row);
  const rowsOf = await readStepRows(db, target, steps.length, numbers);
  const done = await applySteps(db, record, steps, { products, own, rowsOf, carries });
  const counted = steps.map((step, at) => ({ ...step, rows: step.rows + (done.changed[at] ?? 0) }));
  return { operated: done.operated, carries: done.carries, steps: counted };
}

async function readChangedSince(db: Db, command: EditCommandRecord, rows: readonly EffectiveRow[]) {
  if (command.since_edit === null) return () => false;
  const offsets = new Map(rows.map((row) => [row.row, row.byte_from]));
  const newer = await readCellsEditedSince(db, command, command.since_edit, [...offsets.values()]);
  return ({ row, field }: CellChange) => newer.has(`${offsets.get(row)} ${field}`);
}

function withoutNewer(operated: readonly ChangedProduct[], isNewer: (change: CellChange) => boolean) {
  const all = operated.flatMap(({ changes }) => changes);
  const newer = all.filter(isNewer).map(({ row }) => ({ row, reason: 'changed-since' as const }));
  const cells = [...operated.flatMap((one) => one.left), ...newer];
  const byReason = [...Map.groupBy(cells, ({ reason }) => reason)];
  const left: UnchangedCells = Object.fromEntries(byReason.map(([reason, { length }]) => [reason, length]));
  const rows = Object.fromEntries(
    byReason.map(([reason, ofReason]) => [reason, ofReason.map(({ row }) => row)]),
  );
  return { changes: all.filter((change) => !isNewer(change)), left, rows };
}

function cellsOf(operated: readonly ChangedProduct[], changes: readonly CellChange[]): EditsWithRows {
  const numbers = new Set(changes.map(({ row }) => row));
  const before = operated.flatMap(({ rows }) => (rows.some(({ row }) => numbers.has(row)) ? rows : []));
  const byNumber = new Map(before.map((row) => [row.row, row]));
  const edits = changes.map((change): NewEdit => {
    const { byte_from } = byNumber.get(change.row) as EffectiveRow;
    return { ...change, byteFrom: byte_from, source: null };
  });
  return { before, edits };
}
