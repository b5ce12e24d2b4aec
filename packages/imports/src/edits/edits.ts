import { currentRows } from '@draftshelf/database/chunks/runs';
import type { Db } from '@draftshelf/database/connection/database';
import { followCommand, reopenProposals } from '@draftshelf/database/enrich/proposals';
import { lockImport } from '@draftshelf/database/imports/imports';
import { isSendingAny } from '@draftshelf/database/push/listings';
import { ourIdOf } from '@draftshelf/database/push/our-id';
import {
  findCommand,
  insertCommand,
  type NewCommand,
  setState,
} from '@draftshelf/database/rows/edit-commands';
import { type EffectiveRow, readFirstRows, readRowsByNumber } from '@draftshelf/database/rows/effective-rows';
import { lockRows } from '@draftshelf/database/rows/rows-lock';
import {
  type EditedCell,
  findRowsOfEdits,
  insertEdits,
  type NewEdit,
  readEditedCells,
} from '@draftshelf/database/rows/stored-edits';
import type { ImportRecord } from '@draftshelf/database/schema';
import { type CanonicalField, productFields } from '@draftshelf/domain/canonical-fields';
import { canDo } from '@draftshelf/domain/import-status';
import { lookUpEdited, readFactsBefore } from '../lookups/look-up-edited.ts';
import { refreshProducts } from '../products/refresh-products.ts';
import { productsPerBatch } from '../products/validate-products.ts';
import { refreshReviewStatus } from '../review-status.ts';

/** New values of one row, by field. Null undoes an edit: the value from the file, or the found one, applies again. */
export type RowChange = {
  row: number;
  values: FieldValues;
  /** The values that were shown, null for none. If one differs from the value now, no change is applied. */
  expected?: FieldValues | undefined;
};

type FieldValues = Partial<Record<CanonicalField, string | null>>;

export type EditRefusal = 'no such row' | 'ignored' | 'not editable now' | 'being sent' | 'too many';
/** `current`: the fields whose value is not the expected one, with their values now. */
type Differs = { ok: false; reason: 'differs'; current: FieldValues };
export type EditResult = { ok: true; command: string } | { ok: false; reason: EditRefusal } | Differs;

/**
 * Records the changes of one command and validates their products, in the caller's transaction. Applies all of them, or
 * none and returns the reason. A field that a product has only once is edited on its first row. The import's status
 * follows: fixing the last bad row makes it `processed`.
 */
export async function editRows(
  db: Db,
  importId: string,
  command: NewCommand,
  changes: readonly RowChange[],
): Promise<EditResult> {
  await lockRows(db, importId);
  const record = await lockImport(db, importId);
  if (!record) return { ok: false, reason: 'no such row' };
  if (!canDo('edit', record.status)) return { ok: false, reason: 'not editable now' };
  const of = currentRows(record);
  const rows = await readRowsByNumber(
    db,
    of,
    changes.map(({ row }) => row),
  );
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  if (changes.some(({ row }) => !byNumber.has(row))) return { ok: false, reason: 'no such row' };
  if (rows.some(({ ignored }) => ignored !== null)) return { ok: false, reason: 'ignored' };
  const products = [...new Set(rows.map(({ product }) => product))];
  if (products.length > productsPerBatch) return { ok: false, reason: 'too many' };
  const firsts = await readFirstRows(db, of, products);
  if (await anyBeingSent(db, record, [...firsts.values()])) return { ok: false, reason: 'being sent' };
  const holderOf = (row: number, field: CanonicalField) => {
    const changed = byNumber.get(row) as EffectiveRow;
    // An undo restores the value of this very row, even if another row is now the product's first.
    const isOfProduct = productFields.has(field) && command.undoes === undefined;
    return isOfProduct ? (firsts.get(changed.product) ?? changed) : changed;
  };
  const current = Object.assign({}, ...changes.map((change) => differences(change, holderOf))) as FieldValues;
  if (Object.keys(current).length > 0) return { ok: false, reason: 'differs', current };
  const edits = changes.flatMap(({ row, values }) =>
    (Object.entries(values) as [CanonicalField, string | null][]).map(([field, after]) =>
      editOf(holderOf(row, field), field, after),
    ),
  );
  const before = await readFactsBefore(db, record, products);
  const id = await insertCommand(db, importId, command, new Set(edits.map(({ row }) => row)).size);
  await insertEdits(db, importId, id, edits);
  await reopenProposals(db, importId, edits.filter(({ after }) => after === null).map(cellOf));
  await refreshProducts(db, record, products);
  const fields = new Set(edits.map(({ field }) => field));
  await lookUpEdited(db, record, { products, fields, before });
  await refreshReviewStatus(db, importId);
  return { ok: true, command: id };
}

export type UndoResult =
  | { ok: true; command: string; rows: number[]; left: number }
  | { ok: false; reason: EditRefusal | 'no such command' | 'undone already' | 'changed since' }
  | Differs;

/**
 * Undoes a command, in the caller's transaction: each of its edits is replaced by the one before it, or by none. What
 * another command has changed since stays, and is counted as `left`. The undo is a command too. Undoing that is the
 * redo, which applies the edits of the first command again.
 */
export async function undoCommand(db: Db, importId: string, commandId: string): Promise<UndoResult> {
  await lockRows(db, importId);
  const record = await lockImport(db, importId);
  const command = record && (await findCommand(db, importId, commandId));
  if (!command) return { ok: false, reason: 'no such command' };
  const base = command.undoes === null ? command : await findCommand(db, importId, command.undoes);
  if (!base) throw new Error(`Command ${commandId} undoes a command that does not exist`);
  const kind = command.kind === 'undo' ? 'redo' : 'undo';
  const isInEffect = base.state === (kind === 'undo' ? 'applied' : 'undone');
  if (command.state === 'undone' || !isInEffect) return { ok: false, reason: 'undone already' };
  const cells = await readEditedCells(db, base);
  const latest = cells.filter(({ is_latest }) => is_latest);
  if (latest.length === 0) return { ok: false, reason: 'changed since' };
  const rows = await findRowsOfEdits(db, currentRows(record), latest);
  const restored = ({ before, after }: EditedCell) => (kind === 'undo' ? before : after);
  const changes = latest.flatMap((cell) => {
    const row = rows.get(cell.byte_from);
    return row === undefined ? [] : [{ row, values: { [cell.field]: restored(cell) } }];
  });
  if (changes.length === 0) return { ok: false, reason: 'no such row' };
  const edited = await editRows(db, importId, { kind, undoes: base.id }, changes);
  if (!edited.ok) return edited;
  // Rows that the current run does not have may return with another re-read.
  const gone = latest.filter(({ byte_from }) => !rows.has(byte_from));
  const restoredGone = gone.map((cell) => ({
    ...{ row: cell.row, byteFrom: cell.byte_from, field: cell.field },
    ...{ before: null, after: restored(cell) },
  }));
  await insertEdits(db, importId, edited.command, restoredGone);
  await followCommand(db, importId, base.id, latest, kind);
  await setState(db, command, 'undone');
  await setState(db, base, kind === 'undo' ? 'undone' : 'applied');
  const changed = [...new Set(changes.map(({ row }) => row))];
  return { ...edited, rows: changed, left: cells.length - latest.length };
}

/**
 * The fields of a change whose value is not the expected one, with their values now. A field that already has the new
 * value is not one of them.
 */
function differences(
  { row, values, expected = {} }: RowChange,
  holderOf: (row: number, field: CanonicalField) => EffectiveRow,
): FieldValues {
  const current: FieldValues = {};
  for (const [field, value] of Object.entries(expected) as [CanonicalField, string | null][]) {
    const now = holderOf(row, field).values[field] ?? null;
    const isSame = (other: string | null | undefined) => (other ?? '') === (now ?? '');
    const isSetAlready = typeof values[field] === 'string' && isSame(values[field]);
    if (!isSame(value) && !isSetAlready) current[field] = now;
  }
  return current;
}

const cellOf = ({ byteFrom, field }: NewEdit) => ({ byte_from: byteFrom, field });

const editOf = (edited: EffectiveRow, field: CanonicalField, after: string | null): NewEdit => ({
  row: edited.row,
  byteFrom: edited.byte_from,
  field,
  before: edited.values[field] ?? null,
  after,
});

/**
 * A product whose payload is being sent to the store must not change. In a paused or failed import none is being sent.
 */
async function anyBeingSent(db: Db, record: ImportRecord, firsts: readonly EffectiveRow[]): Promise<boolean> {
  if (record.status !== 'uploading') return false;
  const ourIds = firsts.map((first) => ourIdOf(record, first));
  return isSendingAny(db, record.id, ourIds);
}
