import { canonicalJson } from '@draftshelf/domain/base/canonical-json';
import { leaveOutField } from '@draftshelf/domain/review/edited-field';
import {
  type AppliedOperations,
  applyOperations,
  type CellChange,
  withProductValues,
} from '@draftshelf/domain/review/operations/apply-operations';
import { createCellReader } from '@draftshelf/domain/review/operations/column-cells';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import type { FillDownCarry, OperationRow } from '@draftshelf/domain/review/operations/operation-row';
import type { CommandStep } from '@draftshelf/domain/review/operations/recipe';
import { applyValueChanges } from '@draftshelf/domain/review/operations/row-classes';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { currentRows, type RunOfRows, readParseRun } from '../../work/runs.ts';
import { type EffectiveRow, findRowsAbove, readFirstRows, readRowsByNumber } from '../effective-rows.ts';
import { findProtectedCells, type OperatorCells } from './stored-edits.ts';
import type { WholeProduct } from './whole-products.ts';

export type ChangedProduct = AppliedOperations & { rows: WholeProduct };
type Operated = {
  products: readonly WholeProduct[];
  isInTarget: (row: number) => boolean;
  carry?: FillDownCarry | null;
  left?: ReadonlySet<string>;
};

/** Applies operations in memory. `carry`: state from the previous product. `left`: cells to skip, as `offset field`. */
export async function* operateOnProducts(
  db: Db,
  record: ImportRecord,
  operations: readonly Operation[],
  { products, isInTarget, carry = null, left }: Operated,
): AsyncGenerator<ChangedProduct, void> {
  const of = currentRows(record);
  const { headers, mapping, currency } = await readParseRun(db, of);
  const cellsOf = createCellReader(headers, mapping);
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
        isYours: left && ((field) => left.has(`${row.byte_from} ${field}`)),
        cell: cellsOf(row.cells),
        above: above(row.row),
      }),
    );
    const applied = applyOperations(operations, { rows: ofOperation, currency }, last);
    last = applied.carry;
    yield { ...applied, rows };
  }
}

type StepsOperated = {
  products: readonly WholeProduct[];
  own: OperatorCells;
  rowsOf: readonly ReadonlySet<number>[];
  carries: readonly (FillDownCarry | null)[];
};

/**
 * Applies steps in memory, each to the values that result from the steps before. Steps with equal operations change a
 * cell only once. `rowsOf`: the rows of each step. `carries`: the state from the previous product, for each step.
 * Returns one change per cell and, for each step, the number of changed rows.
 */
export async function applySteps(
  db: Db,
  record: ImportRecord,
  steps: readonly Pick<CommandStep, 'operations' | 'orderedAt'>[],
  { products, own, rowsOf, carries }: StepsOperated,
): Promise<{ operated: ChangedProduct[]; carries: (FillDownCarry | null)[]; changed: number[] }> {
  const changes = new Map<string, CellChange>();
  const left = new Map<string, ChangedProduct['left'][number]>();
  const ofProduct = <Cell extends { row: number }>(cells: Map<string, Cell>) => {
    const ofRow = Map.groupBy(cells.values(), ({ row }) => row);
    return (rows: WholeProduct) => rows.flatMap(({ row }) => ofRow.get(row) ?? []);
  };
  const done = { carries: [] as (FillDownCarry | null)[], changed: [] as number[] };
  const offsets = new Map(products.flat().map(({ row, byte_from }) => [row, byte_from]));
  const cellOf = ({ row, field }: Pick<CellChange, 'row' | 'field'>) => `${offsets.get(row)} ${field}`;
  const changedBy = new Map<string, ReadonlySet<string>>();
  for (const [at, { operations, orderedAt }] of steps.entries()) {
    const changesOf = ofProduct(changes);
    const sameOperations = canonicalJson(operations);
    const before = changedBy.get(sameOperations) ?? new Set();
    const applied = operateOnProducts(db, record, operations, {
      products: products.map((product) => applyCellChanges(product, changesOf(product))),
      isInTarget: (row) => rowsOf[at]?.has(row) === true,
      carry: carries[at] ?? null,
      left: findProtectedCells(own, orderedAt).union(before),
    });
    const step = await Array.fromAsync(applied);
    const changed = step.flatMap((one) => one.changes);
    changedBy.set(sameOperations, before.union(new Set(changed.map(cellOf))));
    for (const change of changed) {
      const cell = `${change.row} ${change.field}`;
      changes.set(cell, { ...change, before: (changes.get(cell) ?? change).before });
    }
    for (const one of step.flatMap((product) => product.left)) {
      if (!before.has(cellOf(one))) left.set(`${one.row} ${one.field}`, one);
    }
    done.changed.push(new Set(changed.map(({ row }) => row)).size);
    done.carries.push(step.at(-1)?.carry ?? carries[at] ?? null);
  }
  const [changesOf, leftOf] = [ofProduct(changes), ofProduct(left)];
  const operated = products.map((rows) => ({
    rows,
    changes: changesOf(rows).filter(({ before, after }) => (before ?? '') !== (after ?? '')),
    left: leftOf(rows),
    unchanged: 0,
    carry: null,
  }));
  return { operated, ...done };
}

export function applyCellChanges(rows: WholeProduct, changes: readonly CellChange[]): EffectiveRow[] {
  const byRow = Map.groupBy(changes, ({ row }) => row);
  return rows.map((row) => {
    const changed = byRow.get(row.row);
    if (!changed) return row;
    const leaving = changed.find(({ field }) => field === leaveOutField);
    const leftOut = leaving ? leaving.after !== null : row.leftOut;
    const values = applyValueChanges(row, changed);
    const edited = changed.flatMap(({ field, after }) =>
      field === leaveOutField || after === null ? [] : field,
    );
    const sources = { ...row.sources, ...Object.fromEntries(edited.map((field) => [field, 'edit'])) };
    return { ...row, values, sources, leftOut };
  });
}

/** Returns a function that returns the row above a given row, with the product values of its product's first row. */
async function readRowsAbove(db: Db, of: RunOfRows, rows: readonly EffectiveRow[]) {
  const below = rows.map(({ row }) => row);
  const numbers = await findRowsAbove(db, of, below);
  // Rows in `rows` may have been changed in memory by an earlier step, so they replace the stored rows.
  const here = new Map(rows.map((row) => [row.row, row]));
  const found = await readRowsByNumber(db, of, [...new Set(numbers.values())]);
  const above = new Map(found.map((row) => [row.row, here.get(row.row) ?? row]));
  const firsts = await readFirstRows(db, of, [...new Set([...above.values()].map(({ product }) => product))]);
  const valuesOfFirst = (product: number): EffectiveRow['values'] => {
    const first = firsts.get(product);
    return (first && (here.get(first.row) ?? first))?.values ?? {};
  };
  return (row: number): OperationRow['above'] => {
    const one = above.get(numbers.get(row) ?? 0);
    return one && { row: one.row, values: withProductValues(one.values, valuesOfFirst(one.product)) };
  };
}
