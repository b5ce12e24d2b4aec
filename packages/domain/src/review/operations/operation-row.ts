import type { RowValues } from '../../base/canonical-fields.ts';
import type { OperationField } from './operation.ts';

/** A row of a product, with what operations read. */
export type OperationRow = {
  row: number;
  /** Effective values. */
  values: RowValues;
  isInTarget: boolean;
  /** Ignored rows are neither changed nor read. */
  isIgnored: boolean;
  isLeftOut: boolean;
  /** Whether a cell is left because it is the operator's own; absent: none is. */
  isYours?: ((field: OperationField) => boolean) | undefined;
  /** A value of a column of the file, by header (see column-cells.ts). */
  cell: (header: string) => string | undefined;
  /**
   * The row above in the file, of this product or another one; ignored rows do not count. Its values must include those
   * that its product has once (see `valuesWithProduct`). Only fill-down reads it; none if there is none above.
   */
  above?: { row: number; values: RowValues } | undefined;
};

/**
 * Values that fill-down hands from one row to the next: by operation, the value of its field in `row` right after that
 * operation. Plain JSON. It replaces `above.values` where `row` is the row above, so that operations behind a fill-down
 * are not applied twice.
 */
export type Carry = { row: number; values: (string | null)[] };
