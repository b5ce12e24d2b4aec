import { trimCell } from '../../reading/row-values.ts';
import type { UnchangedCell } from './apply-operations.ts';
import type { Operation } from './operation.ts';
import { findValueProblem } from './value-problem.ts';

/** Returns whether operations only paste, so that their values are known without the rows. */
export const areOnlyPastes = (operations: readonly Operation[]): boolean =>
  operations.every(({ kind }) => kind === 'paste');

/** Returns the pasted values that their fields cannot have, by row. Rows are not read, so `before` is null. */
export function findRefusedCells(
  operations: readonly Operation[],
  isAbout: (row: number) => boolean,
): UnchangedCell[] {
  if (!areOnlyPastes(operations)) return [];
  const left = new Map<string, UnchangedCell>();
  for (const operation of operations) {
    if (operation.kind !== 'paste') continue;
    const { field } = operation;
    for (const [row, text] of operation.cells) {
      if (!isAbout(row)) continue;
      const refused = trimCell(text);
      const reason = findValueProblem(field, refused);
      const cell = `${row} ${field}`;
      // A later paste into the same cell replaces an earlier one, so the earlier refusal no longer counts.
      if (reason === null) left.delete(cell);
      else left.set(cell, { row, field, before: null, reason, refused });
    }
  }
  return [...left.values()].sort((a, b) => a.row - b.row);
}
