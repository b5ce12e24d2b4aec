import { productFields } from '@draftshelf/domain/base/canonical-fields';
import { type EditedField, leaveOutField, leaveOutValue } from '@draftshelf/domain/review/edited-field';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { enqueueAfterEdit } from '../../enrich/lookups/enqueue-lookups.ts';
import { ourIdOf } from '../../imports/our-id.ts';
import { refreshReviewStatus } from '../../imports/review-status.ts';
import { listSending } from '../../push/listings.ts';
import { currentRows } from '../../work/runs.ts';
import { applyCells, countChanges, type RowsChanged } from '../commands/apply-cells.ts';
import type { NewEdit } from '../commands/stored-edits.ts';
import { readWholeProducts, requestPartRows } from '../commands/whole-products.ts';
import { type EffectiveRow, readFirstRows, readRowsByNumber } from '../effective-rows.ts';
import { withdrawOfSupplier } from '../proposals/decided-proposals.ts';

export type RowsToEdit = { rows: Map<number, EffectiveRow>; firsts: Map<number, EffectiveRow> };

export async function readRowsToEdit(
  db: Db,
  record: ImportRecord,
  numbers: readonly number[],
): Promise<RowsToEdit> {
  const of = currentRows(record);
  const rows = await readRowsByNumber(db, of, numbers);
  const [firsts, others] = [rows.filter(isFirstRow), rows.filter((row) => !isFirstRow(row))];
  const further = await readFirstRows(db, of, productsOf(others));
  return {
    rows: new Map(rows.map((row) => [row.row, row])),
    firsts: new Map([...further, ...firsts.map((row) => [row.product, row] as const)]),
  };
}

const isFirstRow = ({ is_first, joined }: EffectiveRow): boolean => is_first && !joined;

export const productsOf = (rows: Iterable<EffectiveRow>): number[] => [
  ...new Set([...rows].map(({ product }) => product)),
];

/** A field that a product has only once is held by its first row. */
export const holderIn = ({ firsts }: RowsToEdit, row: EffectiveRow, field: EditedField): EffectiveRow =>
  field !== leaveOutField && productFields.has(field) ? (firsts.get(row.product) ?? row) : row;

export const editedValue = (row: EffectiveRow, field: EditedField): string | null =>
  field === leaveOutField ? leaveOutValue(row.leftOut) : (row.values[field] ?? null);

/** `source`: of the proposal that is taken. `after` null undoes the field's edits. */
export const editOf = (
  edited: EffectiveRow,
  field: EditedField,
  after: string | null,
  source: string | null,
): NewEdit => ({
  row: edited.row,
  byteFrom: edited.byte_from,
  field,
  before: editedValue(edited, field),
  after,
  source,
});

/** Their payload must not change. Paused or failed imports send none. */
export async function listBeingSent(
  db: Db,
  record: ImportRecord,
  { firsts }: Pick<RowsToEdit, 'firsts'>,
): Promise<ReadonlySet<number>> {
  if (record.status !== 'uploading') return new Set();
  const products = new Map([...firsts].map(([product, first]) => [ourIdOf(record, first), product]));
  const sending = await listSending(db, record.id, [...products.keys()]);
  return new Set(sending.flatMap((ourId) => products.get(ourId) ?? []));
}

/** The caller's transaction holds the locks of the import's rows and of the import. Returns the import afterwards. */
export async function storeEdits(
  db: Db,
  record: ImportRecord,
  command: string,
  edits: readonly NewEdit[],
): Promise<ImportRecord> {
  const ofRow = Map.groupBy(edits, ({ row }) => row);
  const changed: RowsChanged[] = [];
  for (let open = [...ofRow.keys()]; open.length > 0; ) {
    const before = (await readWholeProducts(db, currentRows(record), open, requestPartRows)).flat();
    const read = new Set(before.map(({ row }) => row));
    const ofPart = open.filter((row) => read.has(row)).flatMap((row) => ofRow.get(row) ?? []);
    if (ofPart.length === 0) throw new Error(`Rows of import ${record.id} to edit are missing`);
    changed.push(await applyCells(db, record, command, { before, edits: ofPart }));
    open = open.filter((row) => !read.has(row));
  }
  await withdrawOfSupplier(
    db,
    record.id,
    edits.map(({ byteFrom, field }) => ({ byte_from: byteFrom, field })),
    command,
  );
  await countChanges(db, record, changed);
  await enqueueAfterEdit(db, record, { pictured: changed.some(({ pictured }) => pictured) });
  return refreshReviewStatus(db, record.id);
}
