import { canDo } from '@draftshelf/domain/imports/import-status';
import type { EditedField } from '@draftshelf/domain/review/edited-field';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { lockImport } from '../../imports/imports.ts';
import { productsPerBatch } from '../../reading/validate-products.ts';
import { blockedBy } from '../../work/blocking.ts';
import type { ChangeRefused, FieldValues } from '../change-refused.ts';
import { insertCommand, type NewCommand } from '../commands/edit-commands.ts';
import type { EffectiveRow } from '../effective-rows.ts';
import { lockRows } from '../rows-lock.ts';
import {
  editedValue,
  editOf,
  holderIn,
  listBeingSent,
  productsOf,
  readRowsToEdit,
  storeEdits,
} from './store-edits.ts';

/** Null undoes an edit: the value from the file, or the found one, applies again. */
export type RowChange = {
  row: number;
  values: FieldValues;
  /** The values that were shown. If one differs from the value now, no change is applied. */
  expected?: FieldValues | undefined;
  /** The source of the proposal that has these values; none if the operator has entered them. */
  source?: string | undefined;
};

export type EditResult = { ok: true; command: string; record: ImportRecord } | ChangeRefused;

/**
 * Records the changes of one command and validates their products, in the caller's transaction: all of them, or none. A
 * field that a product has once is edited on its first row. Fixing the last bad row makes the import `processed`.
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
  const sentence = await blockedBy(db, record, 'edit');
  if (sentence !== undefined) return { ok: false, reason: 'blocked', sentence };
  const numbers = changes.map(({ row }) => row);
  const read = await readRowsToEdit(db, record, numbers);
  if (numbers.some((row) => !read.rows.has(row))) return { ok: false, reason: 'no such row' };
  const rows = [...read.rows.values()];
  if (rows.some(({ ignored }) => ignored !== null)) return { ok: false, reason: 'ignored' };
  const products = productsOf(rows);
  if (products.length > productsPerBatch) return { ok: false, reason: 'too many' };
  if ((await listBeingSent(db, record, read)).size > 0) return { ok: false, reason: 'being sent' };
  const holderOf = (row: number, field: EditedField) =>
    holderIn(read, read.rows.get(row) as EffectiveRow, field);
  const current = Object.assign({}, ...changes.map((change) => differences(change, holderOf))) as FieldValues;
  if (Object.keys(current).length > 0) return { ok: false, reason: 'differs', current };
  const edits = changes.flatMap(({ row, values, source = null }) =>
    (Object.entries(values) as [EditedField, string | null][]).map(([field, after]) =>
      editOf(holderOf(row, field), field, after, source),
    ),
  );
  const id = await insertCommand(db, importId, command, new Set(edits.map(({ row }) => row)).size);
  return { ok: true, command: id, record: await storeEdits(db, record, id, edits) };
}

/** Returns unexpected values as they are now. A field that already has the new value does not count. */
function differences(
  { row, values, expected = {} }: RowChange,
  holderOf: (row: number, field: EditedField) => EffectiveRow,
): FieldValues {
  const current: FieldValues = {};
  for (const [field, value] of Object.entries(expected) as [EditedField, string | null][]) {
    const now = editedValue(holderOf(row, field), field);
    const isSame = (other: string | null | undefined) => (other ?? '') === (now ?? '');
    const isSetAlready = typeof values[field] === 'string' && isSame(values[field]);
    if (!isSame(value) && !isSetAlready) current[field] = now;
  }
  return current;
}
