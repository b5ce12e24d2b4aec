import {
  isProductField,
  optionFields,
  productFields,
  type RowField,
  type RowValues,
} from '../../base/canonical-fields.ts';
import { createOptionReader, toOptionPrefix } from '../../products/variant-options.ts';
import { leaveOutValue } from '../edited-field.ts';
import { changeRow, namesProductField, type RowResult } from './change-row.ts';
import type { UnchangedReason } from './left-reason.ts';
import { type FieldOperation, fieldOf, type Operation, type OperationField } from './operation.ts';
import type { FillDownCarry, OperationRow } from './operation-row.ts';

/** All rows of a product, in file order. `currency`: the store's currency, or null. */
export type OperationProductRows = { rows: readonly OperationRow[]; currency: string | null };

/** An `after` of '' clears the field. For 'leaveOut', `after` is 'yes', or null to put the row back into the push. */
export type CellChange = { row: number; field: OperationField; before: string | null; after: string | null };

/** `refused`: the value that the field can't have. */
export type UnchangedCell = {
  row: number;
  field: OperationField;
  before: string | null;
  reason: UnchangedReason;
  refused?: string;
};

export type AppliedOperations = {
  changes: CellChange[];
  /** Cells that an operation could not change. The other operations of the command are not applied to them either. */
  left: UnchangedCell[];
  unchanged: number;
  /** Pass `carry` to the call for the next product, in file order. */
  carry: FillDownCarry | null;
};

/**
 * Applies the operations of a command to one product, in order. A field that products have once is changed on the
 * first row, if any row of the product is in the target. A cell that could not be changed is not used in calculations.
 */
export function applyOperations(
  operations: readonly Operation[],
  { rows, currency }: OperationProductRows,
  carry: FillDownCarry | null = null,
): AppliedOperations {
  const applied: AppliedOperations = { changes: [], left: [], unchanged: 0, carry };
  const used = rows.filter(({ isIgnored }) => !isIgnored);
  const onRows = toFieldOperations(operations, used);
  const fields = onRows.filter(changesSomething).map(fieldOf);
  const isProductInTarget = used.some(({ isInTarget }) => isInTarget);
  let holder: RowResult | undefined;
  for (const row of used) {
    const isHolder = holder === undefined;
    const isTargeted = (field: OperationField) =>
      namesProductField(field) ? isHolder && isProductInTarget : row.isInTarget;
    const isChanged = (field: OperationField) => isTargeted(field) && row.isYours?.(field) !== true;
    const result = changeRow(onRows, row, { isChanged, currency, holder, carry: applied.carry });
    holder ??= result;
    applied.carry = { row: row.row, values: result.filled };
    collect(applied, row, result, new Set(fields.filter(isTargeted)));
  }
  return applied;
}

/** Returns false for an operation on an option that the product lacks, and for a paste into other products only. */
const changesSomething = (operation: FieldOperation) =>
  (operation.kind !== 'map' || operation.values.length > 0) &&
  (operation.kind !== 'paste' || operation.cells.length > 0);

/** Returns a row's values, with the fields that a product has once from the product's first row. */
export function withProductValues(values: RowValues, first: RowValues): RowValues {
  const fields = new Set([...productFields, ...Object.keys({ ...values, ...first }).filter(isProductField)]);
  const ofProduct = [...fields].map((field) => [field, first[field as RowField]] as const);
  return { ...values, ...Object.fromEntries(ofProduct) };
}

function collect(
  applied: AppliedOperations,
  row: OperationRow,
  { values, failed }: RowResult,
  fields: ReadonlySet<OperationField>,
): void {
  for (const field of fields) {
    const before = valueIn(row, field);
    const after = values[field] ?? '';
    const failure = row.isYours?.(field) ? ({ reason: 'yours' } as const) : failed.get(field);
    const cell = { row: row.row, field, before };
    if (failure) applied.left.push({ ...cell, ...failure });
    else if (after === (before ?? '')) applied.unchanged += 1;
    else applied.changes.push({ ...cell, after: field === 'leaveOut' && after === '' ? null : after });
  }
}

const valueIn = ({ values, isLeftOut }: OperationRow, field: OperationField): string | null =>
  field === 'leaveOut' ? leaveOutValue(isLeftOut) : (values[field] ?? null);

/**
 * Returns the operations for the rows of one product. An operation on options becomes one operation per option, and a
 * paste has only the cells of these rows. The number of operations is the same for all products, so that each has a
 * fixed index; an operation that changes nothing has no values.
 */
export function toFieldOperations(
  operations: readonly Operation[],
  rows: readonly OperationRow[],
): readonly FieldOperation[] {
  if (operations.every(isOnAnyRows)) return operations;
  const optionsOf = createOptionReader(rows.map(({ values }) => values));
  const names = new Map(
    rows.flatMap(({ values }) => optionsOf(values)).map(({ name, fields }) => [fields, toOptionPrefix(name)]),
  );
  return operations.flatMap((operation) => {
    if (isOnAnyRows(operation)) return [operation];
    if (operation.kind === 'paste') return [pasteOn(operation, rows)];
    return optionFields.map((fields): FieldOperation => {
      const prefix = names.get(fields);
      const values = operation.values.flatMap(({ from, to }) =>
        prefix !== undefined && from.startsWith(prefix) ? [{ from: from.slice(prefix.length), to }] : [],
      );
      return { kind: 'map', field: fields.value, values };
    });
  });
}

const isOnAnyRows = (operation: Operation): operation is Exclude<FieldOperation, Paste> =>
  operation.kind !== 'map-options' && operation.kind !== 'paste';

type Paste = Extract<Operation, { kind: 'paste' }>;

/**
 * Limits a paste to a product's rows. A field that products have once is pasted into the first row only. An empty cell
 * pasted into a later row clears nothing, because such rows show the first row's value.
 */
function pasteOn(operation: Paste, rows: readonly OperationRow[]): Paste {
  const [first] = rows;
  const values = valuesByRow(operation);
  const isOnce = isProductField(operation.field);
  const cells = rows.flatMap((row): Paste['cells'] => {
    const value = row.isInTarget ? values.get(row.row) : undefined;
    if (value === undefined || first === undefined) return [];
    if (!isOnce) return [[row.row, value]];
    return row === first || value.trim() !== '' ? [[first.row, value.trim()]] : [];
  });
  return { ...operation, cells };
}

const known = new WeakMap<Paste, ReadonlyMap<number, string>>();

/** Caches the map of a paste, because a paste is applied to many products in turn. */
function valuesByRow(operation: Paste): ReadonlyMap<number, string> {
  const values = known.get(operation) ?? new Map(operation.cells);
  known.set(operation, values);
  return values;
}
