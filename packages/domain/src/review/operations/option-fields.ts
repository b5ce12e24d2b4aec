import { optionFields, optionPrefix, optionReader } from '../../products/variant-options.ts';
import type { FieldOperation, Operation } from './operation.ts';
import type { OperationRow } from './operation-row.ts';

/**
 * Operations on the fields of a product's rows: one on options becomes one per option. There are always as many of
 * them, so that each has the same place for all products; those that replace nothing have no values.
 */
export function onFields(
  operations: readonly Operation[],
  rows: readonly OperationRow[],
): readonly FieldOperation[] {
  const isOnField = (operation: Operation): operation is FieldOperation => operation.kind !== 'map-options';
  if (operations.every(isOnField)) return operations;
  const optionsOf = optionReader(rows.map(({ values }) => values));
  const names = new Map(
    rows.flatMap(({ values }) => optionsOf(values)).map(({ name, fields }) => [fields, optionPrefix(name)]),
  );
  return operations.flatMap((operation) => {
    if (isOnField(operation)) return [operation];
    return optionFields.map((fields): FieldOperation => {
      const prefix = names.get(fields);
      const values = operation.values.flatMap(({ from, to }) =>
        prefix !== undefined && from.startsWith(prefix) ? [{ from: from.slice(prefix.length), to }] : [],
      );
      return { kind: 'map', field: fields.value, values };
    });
  });
}
