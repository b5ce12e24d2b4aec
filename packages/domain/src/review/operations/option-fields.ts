import { productFields } from '../../base/canonical-fields.ts';
import { optionFields, optionPrefix, optionReader } from '../../products/variant-options.ts';
import type { FieldOperation, Operation } from './operation.ts';
import type { OperationRow } from './operation-row.ts';

/**
 * Operations on the fields of a product's rows: one on options becomes one per option, and one that pastes has the
 * cells of these rows. Their number is always the same, so that each has the same place for all products; those that
 * change nothing have no values.
 */
export function onFields(
  operations: readonly Operation[],
  rows: readonly OperationRow[],
): readonly FieldOperation[] {
  if (operations.every(isOnAnyRows)) return operations;
  const optionsOf = optionReader(rows.map(({ values }) => values));
  const names = new Map(
    rows.flatMap(({ values }) => optionsOf(values)).map(({ name, fields }) => [fields, optionPrefix(name)]),
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
 * A field that the product has once gets its value in the first row; the other rows show that value where they have
 * none, so an empty cell of theirs clears nothing.
 */
function pasteOn(operation: Paste, rows: readonly OperationRow[]): Paste {
  const [first] = rows;
  const values = valuesByRow(operation);
  const isOnce = productFields.has(operation.field);
  const cells = rows.flatMap((row): Paste['cells'] => {
    const value = row.isInTarget ? values.get(row.row) : undefined;
    if (value === undefined || first === undefined) return [];
    if (!isOnce) return [[row.row, value]];
    return row === first || value.trim() !== '' ? [[first.row, value.trim()]] : [];
  });
  return { ...operation, cells };
}

const known = new WeakMap<Paste, ReadonlyMap<number, string>>();

/** Cached, because an operation is applied to one product after the other. */
function valuesByRow(operation: Paste): ReadonlyMap<number, string> {
  const values = known.get(operation) ?? new Map(operation.cells);
  known.set(operation, values);
  return values;
}
