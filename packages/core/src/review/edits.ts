import { isProductField } from '@draftshelf/domain/base/canonical-fields';
import { photoAddress } from '@draftshelf/domain/base/photo-address';
import { picturesOf } from '@draftshelf/domain/products/images';
import { type EditedField, leaveOutField, leaveOutValue } from '@draftshelf/domain/review/edited-field';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { findPicturePhoto, storePictureChoice } from '../enrich/file-pictures.ts';
import { enqueueEditLookups } from '../enrich/lookups/enqueue-lookups.ts';
import { lockImport } from '../imports/imports.ts';
import { deriveOurId } from '../imports/our-id.ts';
import { refreshReviewStatus } from '../imports/review-status.ts';
import { listSendingIds } from '../push/listings.ts';
import { updateCounts } from '../reading/refresh-products.ts';
import { productsPerBatch } from '../reading/validate-products.ts';
import { currentRows } from '../work/runs.ts';
import { type ChangeRefusal, type EditValues, findRefusal } from './change-refused.ts';
import { applyCellEdits, type ChangedRows } from './commands/apply-cells.ts';
import { insertCommand, type NewCommand } from './commands/edit-commands.ts';
import type { NewEdit } from './commands/stored-edits.ts';
import { readProductsInParts, rowsPerRequestPart } from './commands/whole-products.ts';
import { type EffectiveRow, readFirstRows, readRowsByNumber } from './effective-rows.ts';
import { withdrawSupplierProposals } from './proposals/decided-proposals.ts';
import { lockRows } from './rows-lock.ts';

/** Edits of a row. A null value undoes an edit: the file's value or, without one, the found value applies again. */
export type RowToEdit = {
  row: number;
  values: EditValues;
  /** The values that the operator saw. If one of these fields has changed since, the whole command is refused. */
  expected?: EditValues | undefined;
  /** The source of the accepted proposal. Absent if the operator typed the values. */
  source?: string | undefined;
};

export type EditResult = { ok: true; command: string; record: ImportRecord } | ChangeRefusal;

/**
 * Stores all edits of one command or none, and validates their products, in the caller's transaction. A field that a
 * product has once is edited on the product's first row. When no bad row is left, the import becomes `processed`.
 */
export async function editRows(
  db: Db,
  importId: string,
  command: NewCommand,
  changes: readonly RowToEdit[],
): Promise<EditResult> {
  await lockRows(db, importId);
  const record = await lockImport(db, importId);
  if (!record) return { ok: false, reason: 'no such import' };
  const refused = await findRefusal(db, record, 'edit');
  if (refused) return refused;
  const numbers = changes.map(({ row }) => row);
  const read = await readEditableRows(db, record, numbers);
  if (numbers.some((row) => !read.rows.has(row))) return { ok: false, reason: 'no such row' };
  const rows = [...read.rows.values()];
  if (rows.some(({ ignored }) => ignored !== null)) return { ok: false, reason: 'ignored' };
  if (toProductNumbers(rows).length > productsPerBatch) return { ok: false, reason: 'too many' };
  if ((await listProductsInPush(db, record, read)).size > 0) return { ok: false, reason: 'being sent' };
  const holderOf = (row: number, field: EditedField) =>
    findHolder(read, read.rows.get(row) as EffectiveRow, field);
  const current = Object.assign({}, ...changes.map((change) => differences(change, holderOf))) as EditValues;
  if (Object.keys(current).length > 0) return { ok: false, reason: 'differs', current };
  const edits = changes.flatMap(({ row, values, source = null }) =>
    (Object.entries(values) as [EditedField, string | null][]).map(([field, after]) =>
      buildEdit(holderOf(row, field), field, after, source),
    ),
  );
  const id = await insertCommand(db, importId, command, new Set(edits.map(({ row }) => row)).size);
  return {
    ok: true,
    command: id,
    record: await storeEdits(db, record, id, { edits, products: toProductNumbers(rows) }),
  };
}

/** Returns the current values of those fields that have neither the expected nor the new value. */
function differences(
  { row, values, expected = {} }: RowToEdit,
  holderOf: (row: number, field: EditedField) => EffectiveRow,
): EditValues {
  const current: EditValues = {};
  for (const [field, value] of Object.entries(expected) as [EditedField, string | null][]) {
    const now = getEditableValue(holderOf(row, field), field);
    const isSame = (other: string | null | undefined) => (other ?? '') === (now ?? '');
    const isSetAlready = typeof values[field] === 'string' && isSame(values[field]);
    if (!isSame(value) && !isSetAlready) current[field] = now;
  }
  return current;
}

export type EditableRows = { rows: Map<number, EffectiveRow>; firsts: Map<number, EffectiveRow> };

export async function readEditableRows(
  db: Db,
  record: ImportRecord,
  numbers: readonly number[],
): Promise<EditableRows> {
  const of = currentRows(record);
  const rows = await readRowsByNumber(db, of, numbers);
  const firsts = rows.filter(({ is_first, joined }) => is_first && !joined);
  const others = rows.filter((row) => !firsts.includes(row));
  const further = await readFirstRows(db, of, toProductNumbers(others));
  return {
    rows: new Map(rows.map((row) => [row.row, row])),
    firsts: new Map([...further, ...firsts.map((row) => [row.product, row] as const)]),
  };
}

export const toProductNumbers = (rows: readonly EffectiveRow[]): number[] => [
  ...new Set(rows.map(({ product }) => product)),
];

/** Returns the row that stores a field. A field that a product has once is stored with the product's first row. */
export const findHolder = ({ firsts }: EditableRows, row: EffectiveRow, field: EditedField): EffectiveRow =>
  field !== leaveOutField && isProductField(field) ? (firsts.get(row.product) ?? row) : row;

export const getEditableValue = (row: EffectiveRow, field: EditedField): string | null =>
  field === leaveOutField ? leaveOutValue(row.leftOut) : (row.values[field] ?? null);

/** Builds an edit. A null `after` undoes the field's edit. A null `source` means that the operator typed the value. */
export function buildEdit(
  edited: EffectiveRow,
  field: EditedField,
  after: string | null,
  source: string | null,
): NewEdit {
  const { row, byte_from: byteFrom } = edited;
  return { row, byteFrom, field, before: getEditableValue(edited, field), after, source };
}

/** Returns the products being sent, whose payload must not change. An import that is paused or failed sends none. */
export async function listProductsInPush(
  db: Db,
  record: ImportRecord,
  { firsts }: Pick<EditableRows, 'firsts'>,
): Promise<ReadonlySet<number>> {
  if (record.status !== 'uploading') return new Set();
  const products = new Map([...firsts].map(([product, first]) => [deriveOurId(record, first), product]));
  const sending = await listSendingIds(db, record.id, [...products.keys()]);
  return new Set(sending.flatMap((ourId) => products.get(ourId) ?? []));
}

/** Stores and validates edits and returns the import. The caller has locked the rows and the import. */
export async function storeEdits(
  db: Db,
  record: ImportRecord,
  command: string,
  { edits, products }: { edits: readonly NewEdit[]; products: readonly number[] },
): Promise<ImportRecord> {
  const ofRow = Map.groupBy(edits, ({ row }) => row);
  const changed: ChangedRows[] = [];
  let stored = 0;
  for await (const part of readProductsInParts(db, currentRows(record), products, rowsPerRequestPart)) {
    const before = part.flat();
    const ofPart = before.flatMap(({ row }) => ofRow.get(row) ?? []);
    changed.push(await applyCellEdits(db, record, command, { before, edits: ofPart }));
    stored += ofPart.length;
  }
  if (stored < edits.length) throw new Error(`Products of import ${record.id} to edit are missing`);
  await withdrawSupplierProposals(db, record.id, edits, command);
  await updateCounts(db, record, changed);
  await enqueueEditLookups(db, record, { pictured: changed.some(({ pictured }) => pictured) });
  return refreshReviewStatus(db, record.id);
}

/** Adds picture `n` of the file to a row by an edit. Returns undefined without such a picture. `run`: the row's run. */
export async function addPictureToRow(
  db: Db,
  importId: string,
  { n, row, run }: { n: number; row: number; run: number },
  author: NewCommand['author'],
): Promise<EditResult | undefined> {
  await lockRows(db, importId);
  const record = await lockImport(db, importId);
  const photo = await findPicturePhoto(db, importId, n);
  if (!record || photo === undefined) return undefined;
  if (record.rows_run !== run) return { ok: false, reason: 'read again' };
  const of = currentRows(record);
  const [before] = await readRowsByNumber(db, of, [row]);
  const { image = null, moreImages = null } = before?.values ?? {};
  const hasImage = picturesOf({ image: image ?? '' }).length > 0;
  const address = photoAddress(photo);
  const values = hasImage
    ? { moreImages: moreImages === null ? address : `${moreImages}\n${address}` }
    : { image: address };
  const change = { row, values, expected: { image, moreImages } };
  const edited = await editRows(db, importId, { kind: 'single', author }, [change]);
  if (edited.ok) await storePictureChoice(db, of, { n, row });
  return edited;
}
