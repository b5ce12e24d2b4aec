import type { RowValues } from '../../base/canonical-fields.ts';
import type { OperationField } from './operation.ts';

export type OperationRow = {
  row: number;
  values: RowValues;
  isInTarget: boolean;
  /** Ignored rows are neither changed nor read. */
  isIgnored: boolean;
  isLeftOut: boolean;
  /** Returns whether a cell must stay because the operator set it. Absent if no cell must stay. */
  isYours?: ((field: OperationField) => boolean) | undefined;
  /** Returns the value of a column of the file, by header (see column-cells.ts). */
  cell: (header: string) => string | undefined;
  /** For fill-down: the row above in the file, maybe of another product, with the values that its product has once. */
  above?: { row: number; values: RowValues } | undefined;
};

/**
 * Plain JSON: for each operation, the value of its field in `row` right after a fill-down, else null. The values
 * replace `above.values` if `row` is the row above, so that operations after a fill-down are not applied twice.
 */
export type Carry = { row: number; values: (string | null)[] };
