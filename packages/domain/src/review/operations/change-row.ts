import { isProductField, type RowField, type RowValues } from '../../base/canonical-fields.ts';
import { trimCell } from '../../reading/row-values.ts';
import { isSameAmount } from './amount.ts';
import { calculateCell, isCalculation, sourceFieldOf } from './calculate.ts';
import { changeText } from './change-text.ts';
import type { UnchangedReason } from './left-reason.ts';
import { type FieldOperation, fieldOf, type OperationField } from './operation.ts';
import type { FillDownCarry, OperationRow } from './operation-row.ts';
import { findValueProblem } from './value-problem.ts';

type Values = RowValues & { leaveOut?: string };

export type RowContext = {
  isChanged: (field: OperationField) => boolean;
  currency: string | null;
  /** The result for the product's first row. Undefined if this row is the first row. */
  holder: RowResult | undefined;
  carry: FillDownCarry | null;
};

/** `refused`: the value that the field can't have. */
type Failure = { reason: UnchangedReason; refused?: string };

export type RowResult = {
  /** The values after all operations; '' for cleared fields. */
  values: Values;
  failed: ReadonlyMap<OperationField, Failure>;
  /** The values before each operation, and after the last operation. */
  steps: readonly Values[];
  /** By operation: the field's value after a fill-down, else null. */
  filled: (string | null)[];
};

export const namesProductField = (field: OperationField): boolean =>
  field !== 'leaveOut' && isProductField(field);

/** Applies operations to a row. If cells fail, repeats without these cells, because other cells may depend on them. */
export function changeRow(
  operations: readonly FieldOperation[],
  row: OperationRow,
  context: RowContext,
): RowResult {
  const failed = new Map<OperationField, Failure>();
  for (;;) {
    const failedBefore = failed.size;
    const result = changeOnce(operations, row, context, failed);
    if (failed.size === failedBefore) return result;
  }
}

/** Applies the operations once. Skips the cells in `failed`, and adds further cells that fail. */
function changeOnce(
  operations: readonly FieldOperation[],
  row: OperationRow,
  context: RowContext,
  failed: Map<OperationField, Failure>,
): RowResult {
  const { holder } = context;
  let now: Values = row.isLeftOut ? { ...row.values, leaveOut: 'yes' } : row.values;
  const steps = [now];
  const filled: (string | null)[] = [];
  const numbers = new Set<OperationField>();
  for (const [at, operation] of operations.entries()) {
    const field = fieldOf(operation);
    if (context.isChanged(field) && !failed.has(field)) {
      const changed = compute(operation, { before: operations.slice(0, at), row, now, failed, context });
      if (typeof changed === 'string') now = { ...now, [field]: changed };
      else failed.set(field, changed);
      if (isCalculation(operation)) numbers.add(field);
      else numbers.delete(field);
    }
    steps.push(now);
    const ofHolder = holder !== undefined && namesProductField(field);
    const shown = ofHolder ? holder.steps[at + 1] : now;
    filled.push(operation.kind === 'fill-down' ? shown?.[field] || null : null);
  }
  const values = finalValues(row, now, numbers, context, failed);
  return { values, failed, steps, filled };
}

type Step = {
  before: readonly FieldOperation[];
  row: OperationRow;
  now: Values;
  failed: ReadonlyMap<OperationField, Failure>;
  context: RowContext;
};

const nothingToTake: Failure = { reason: 'nothing-to-take' };
const tooLong: Failure = { reason: 'too-long' };

/** Returns the field's value after an operation, '' for none, or the reason why it cannot be computed. */
function compute(operation: FieldOperation, step: Step): string | Failure {
  const field = fieldOf(operation);
  const text = step.now[field] ?? '';
  switch (operation.kind) {
    case 'set':
      return operation.value;
    case 'clear':
      return '';
    case 'paste':
      return pastedValue(operation, step);
    case 'leave-out':
      return operation.leaveOut ? 'yes' : '';
    case 'take': {
      const { from } = operation;
      const taken = 'field' in from ? read(from.field, step) : step.row.cell(from.column);
      return taken || nothingToTake;
    }
    case 'fill-down':
      return text || valueAbove(operation.field, step) || nothingToTake;
    default: {
      if (!isCalculation(operation)) return changeText(operation, text) ?? tooLong;
      const source = read(sourceFieldOf(operation), step);
      if (typeof source !== 'string') return source;
      const currencies = { row: step.now.currency, store: step.context.currency };
      return calculateCell(operation, { text, source, currencies });
    }
  }
}

function pastedValue(
  { field, cells }: Extract<FieldOperation, { kind: 'paste' }>,
  { row, now }: Step,
): string | Failure {
  const values = new Set(cells.flatMap(([number, value]) => (number === row.row ? [value] : [])));
  const [value = now[field] ?? '', ...others] = values;
  return others.length > 0 ? { reason: 'several-values' } : value;
}

/** Returns the field's value before an operation, '' for none, or the reason why an earlier operation failed on it. */
function read(field: RowField, { before, now, failed, context }: Step): string | Failure {
  const holder = namesProductField(field) ? context.holder : undefined;
  const failure = (holder?.failed ?? failed).get(field);
  if (failure && before.some((operation) => fieldOf(operation) === field)) return { reason: failure.reason };
  return (holder === undefined ? now : holder.steps[before.length])?.[field] ?? '';
}

const valueAbove = (field: RowField, { before, row, context: { carry } }: Step): string | null | undefined =>
  carry !== null && carry.row === row.above?.row ? carry.values[before.length] : row.above?.values[field];

/** Checks the changed values. A calculated number that equals the old number keeps the old text. */
function finalValues(
  { values: before }: OperationRow,
  now: Values,
  numbers: ReadonlySet<OperationField>,
  { isChanged }: RowContext,
  failed: Map<OperationField, Failure>,
): Values {
  const after: Values = { ...now };
  for (const field of Object.keys(now) as OperationField[]) {
    if (field === 'leaveOut' || failed.has(field) || !isChanged(field)) continue;
    if (now[field] === before[field]) continue;
    const value = trimCell(now[field]);
    const isSame = numbers.has(field) && isSameAmount(field, before[field], value);
    after[field] = isSame ? (before[field] ?? '') : value;
    if (isSame || value === (before[field] ?? '')) continue;
    const reason = findValueProblem(field, value, before[field]);
    if (reason !== null) failed.set(field, { reason, refused: value });
  }
  return after;
}
