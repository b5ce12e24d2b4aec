import { productFields, type RowValues } from '../../base/canonical-fields.ts';
import { changeRow, isOfProduct, type RowResult } from './change-row.ts';
import type { LeftReason } from './left-reason.ts';
import { type FieldOperation, fieldOf, type Operation, type OperationField } from './operation.ts';
import type { Carry, OperationRow } from './operation-row.ts';
import { onFields } from './option-fields.ts';

/** All rows of a product, in file order. `currency`: the store's, or null. */
export type OperationProduct = { rows: readonly OperationRow[]; currency: string | null };

/** `after` of a field: '' clears it. `after` of 'leaveOut': 'yes', or null to put the row back into the push. */
export type CellChange = {
  row: number;
  field: OperationField;
  before: string | null;
  after: string | null;
};

/** `refused`: the value that the field can't have. */
export type LeftCell = {
  row: number;
  field: OperationField;
  before: string | null;
  reason: LeftReason;
  refused?: string;
};

export type AppliedOperations = {
  changes: CellChange[];
  /** Cells that operations could not change. None of the command's operations is applied to them. */
  left: LeftCell[];
  unchanged: number;
  /** Pass it with the next product, in file order. */
  carry: Carry | null;
};

/**
 * Applies the operations of a command to one product, in order. Fields that a product has once are changed on its first
 * row, if any of its rows is in the target. Nothing is computed from a cell that is left.
 */
export function applyOperations(
  operations: readonly Operation[],
  { rows, currency }: OperationProduct,
  carry: Carry | null = null,
): AppliedOperations {
  const applied: AppliedOperations = { changes: [], left: [], unchanged: 0, carry };
  const used = rows.filter(({ isIgnored }) => !isIgnored);
  const onRows = onFields(operations, used);
  const fields = onRows.filter(changesSomething).map(fieldOf);
  const isProductInTarget = used.some(({ isInTarget }) => isInTarget);
  let holder: RowResult | undefined;
  for (const row of used) {
    const isHolder = holder === undefined;
    const isTargeted = (field: OperationField) =>
      isOfProduct(field) ? isHolder && isProductInTarget : row.isInTarget;
    const isChanged = (field: OperationField) => isTargeted(field) && row.isYours?.(field) !== true;
    const result = changeRow(onRows, row, { isChanged, currency, holder, carry: applied.carry });
    holder ??= result;
    applied.carry = { row: row.row, values: result.filled };
    collect(applied, row, result, new Set(fields.filter(isTargeted)));
  }
  return applied;
}

/** False for one that stands for an option that the product does not have, or pastes into other products. */
const changesSomething = (operation: FieldOperation) =>
  (operation.kind !== 'map' || operation.values.length > 0) &&
  (operation.kind !== 'paste' || operation.cells.length > 0);

/** The values of a row with those that its product has once, which are on the product's first row. */
export function valuesWithProduct(values: RowValues, first: RowValues): RowValues {
  const ofProduct = [...productFields].map((field) => [field, first[field]] as const);
  return { ...values, ...Object.fromEntries(ofProduct) };
}

function collect(
  applied: AppliedOperations,
  row: OperationRow,
  { values, failed, refused }: RowResult,
  fields: ReadonlySet<OperationField>,
): void {
  for (const field of fields) {
    const before = valueIn(row, field);
    const after = values[field] ?? '';
    const reason = row.isYours?.(field) ? 'yours' : failed.get(field);
    const value = refused.get(field);
    if (reason !== undefined)
      applied.left.push({
        row: row.row,
        field,
        before,
        reason,
        ...(value === undefined ? {} : { refused: value }),
      });
    else if (after === (before ?? '')) applied.unchanged += 1;
    else applied.changes.push({ row: row.row, field, before, after: afterOf(field, after) });
  }
}

function valueIn({ values, isLeftOut }: OperationRow, field: OperationField): string | null {
  if (field === 'leaveOut') return isLeftOut ? 'yes' : null;
  return values[field] ?? null;
}

const afterOf = (field: OperationField, after: string) =>
  field === 'leaveOut' && after === '' ? null : after;
