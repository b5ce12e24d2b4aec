import type { RowValues } from '../../base/canonical-fields.ts';
import type { OperationField } from './operation.ts';

export type OperationRow = {
  row: number;
  values: RowValues;
  isInTarget: boolean;
  /** Ignored rows are neither changed nor read. */
  isIgnored: boolean;
  isLeftOut: boolean;
  /** Whether a cell is left because it is the operator's own; absent: none is. */
  isYours?: ((field: OperationField) => boolean) | undefined;
  /** A value of a column of the file, by header (see column-cells.ts). */
  cell: (header: string) => string | undefined;
  /** The row above in the file, also of another product, with the values that its product has once; for fill-down. */
  above?: { row: number; values: RowValues } | undefined;
};

/**
 * Plain JSON: by operation, the value of its field in `row` right after a fill-down. It replaces `above.values` where
 * `row` is the row above, so that operations behind a fill-down are not applied twice.
 */
export type Carry = { row: number; values: (string | null)[] };
