import { type ColumnChoice, inOrder } from './column-choice.ts';
import type { ShownColumn } from './shown-columns.ts';

/** A choice with a column shown or hidden by the operator, who looks at an import. The title is always shown. */
export function withShown(
  choice: ColumnChoice,
  column: ShownColumn,
  isShown: boolean,
  importId: string,
): ColumnChoice {
  const { [column]: _before, ...others } = choice.added;
  const hidden = choice.hidden.filter((other) => other !== column);
  if (isShown) return { ...choice, hidden, added: { ...others, [column]: importId } };
  return column === 'title' ? choice : { ...choice, hidden: [...hidden, column], added: others };
}

/** A choice with one of the columns that are shown moved by a place to the left (-1) or right. */
export function withMoved(
  choice: ColumnChoice,
  shown: readonly ShownColumn[],
  column: ShownColumn,
  by: -1 | 1,
): ColumnChoice {
  const at = shown.indexOf(column);
  const other = shown[at + by];
  if (at === -1 || other === undefined) return choice;
  const moved = shown.map((name, place) => (place === at ? other : place === at + by ? column : name));
  // Columns of other imports stay behind the one that they stood behind.
  return { ...choice, order: inOrder([...new Set([...choice.order, ...shown])], moved) };
}
