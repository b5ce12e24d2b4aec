import type { Db } from '@draftshelf/database/connection/database';
import type { ImportRecord } from '@draftshelf/database/connection/schema';
import {
  type EffectiveRow,
  findRowsAbove,
  readFirstRows,
  readRowsByNumber,
} from '@draftshelf/database/review/effective-rows';
import { currentRows, type RunOfRows, readParseRun } from '@draftshelf/database/work/runs';
import { leaveOutField } from '@draftshelf/domain/review/edited-field';
import {
  type AppliedOperations,
  applyOperations,
  type CellChange,
  valuesWithProduct,
} from '@draftshelf/domain/review/operations/apply-operations';
import { columnCells } from '@draftshelf/domain/review/operations/column-cells';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import type { Carry, OperationRow } from '@draftshelf/domain/review/operations/operation-row';
import { changedValues } from '@draftshelf/domain/review/operations/row-classes';
import type { WholeProduct } from './whole-products.ts';

/** What operations do with a product. */
export type OperatedProduct = AppliedOperations & { rows: WholeProduct };

/**
 * Applies operations to products in memory, one by one in their order; nothing is stored. `isInTarget`: by row number.
 * `carry`: of the product before them.
 */
export async function* operate(
  db: Db,
  record: ImportRecord,
  operations: readonly Operation[],
  {
    products,
    isInTarget,
    carry = null,
  }: { products: readonly WholeProduct[]; isInTarget: (row: number) => boolean; carry?: Carry | null },
): AsyncGenerator<OperatedProduct, void> {
  const of = currentRows(record);
  const { headers, mapping, currency } = await readParseRun(db, of);
  const cellsOf = columnCells(headers, mapping);
  const fillsDown = operations.some(({ kind }) => kind === 'fill-down');
  const above = fillsDown ? await readRowsAbove(db, of, products.flat()) : () => undefined;
  let last = carry;
  for (const rows of products) {
    const ofOperation = rows.map(
      (row): OperationRow => ({
        row: row.row,
        values: row.values,
        isInTarget: isInTarget(row.row),
        isIgnored: row.ignored !== null,
        isLeftOut: row.leftOut,
        cell: cellsOf(row.cells),
        above: above(row.row),
      }),
    );
    const applied = applyOperations(operations, { rows: ofOperation, currency }, last);
    last = applied.carry;
    yield { ...applied, rows };
  }
}

/** Some rows with their values after changes. */
export function changedRows(rows: WholeProduct, changes: readonly CellChange[]): EffectiveRow[] {
  const byRow = Map.groupBy(changes, ({ row }) => row);
  return rows.map((row) => {
    const changed = byRow.get(row.row);
    if (!changed) return row;
    const leaving = changed.find(({ field }) => field === leaveOutField);
    const leftOut = leaving ? leaving.after !== null : row.leftOut;
    return { ...row, values: changedValues(row, changed), leftOut };
  });
}

/** Returns a function for the row above each row, with the values that its product has once. */
async function readRowsAbove(db: Db, of: RunOfRows, rows: readonly EffectiveRow[]) {
  const numbers = await findRowsAbove(
    db,
    of,
    rows.map(({ row }) => row),
  );
  const above = new Map(
    (await readRowsByNumber(db, of, [...new Set(numbers.values())])).map((row) => [row.row, row]),
  );
  const firsts = await readFirstRows(db, of, [...new Set([...above.values()].map(({ product }) => product))]);
  return (row: number): OperationRow['above'] => {
    const found = above.get(numbers.get(row) ?? 0);
    if (!found) return undefined;
    return {
      row: found.row,
      values: valuesWithProduct(found.values, firsts.get(found.product)?.values ?? {}),
    };
  };
}
