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
  /** For fill-down: the row above in the file, maybe of another product. `values` include its product's values. */
  above?: { row: number; values: RowValues } | undefined;
};

/**
 * State for the next product, as plain JSON: by operation, the field's value in `row` after a fill-down, else null. If
 * `row` is the row above, these values replace `above.values`, so that later operations are not applied twice.
 */
export type FillDownCarry = { row: number; values: (string | null)[] };
