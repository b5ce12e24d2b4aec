import { useSyncExternalStore } from 'react';
import { hasShape, isNumber, isText } from '../../../lib/shape.ts';
import { isFileColumn, remRange, type ShownColumn, shownColumns } from './shown-columns.ts';

/** The columns as this browser shows them, in every import. */
export type ColumnChoice = {
  /** In order; null: those that an import has and that fit. */
  columns: readonly ShownColumn[] | null;
  /** Widths in rem that differ from the usual ones. */
  rem: Readonly<Partial<Record<ShownColumn, number>>>;
};

export const noChoice: ColumnChoice = { columns: null, rem: {} };

const storageKey = 'draftshelf-columns';

const isColumn = (name: unknown): name is ShownColumn =>
  isText(name) && (isFileColumn(name) || (shownColumns as readonly string[]).includes(name));

const isColumns = (value: unknown) =>
  value === null || (Array.isArray(value) && value.every(isColumn) && new Set(value).size === value.length);

const isWidths = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([name, rem]) => isColumn(name) && isNumber(rem) && rem === inRange(rem));

const isChoice = hasShape<ColumnChoice>({ columns: isColumns, rem: isWidths });

/** A width within the limits, in quarters of a rem. */
export const inRange = (rem: number): number =>
  Math.min(Math.max(Math.round(4 * rem) / 4, remRange.min), remRange.max);

/** A stored choice; none if another version wrote something else. */
export function readChoice(text: string | null): ColumnChoice {
  try {
    const choice: unknown = JSON.parse(text ?? 'null');
    return isChoice(choice) ? choice : noChoice;
  } catch {
    return noChoice;
  }
}

const listeners = new Set<() => void>();
let current: ColumnChoice | undefined;

function choiceNow(): ColumnChoice {
  try {
    current ??= readChoice(localStorage.getItem(storageKey));
  } catch {
    // Without storage a choice lives as long as the page.
  }
  return current ?? noChoice;
}

/** Keeps a choice in this browser. */
export function keepChoice(choice: ColumnChoice): void {
  current = choice;
  try {
    localStorage.setItem(storageKey, JSON.stringify(choice));
  } catch {
    // As above.
  }
  for (const listener of listeners) listener();
}

/** Keeps the width of a column; null for the usual one. */
export function keepWidth(column: ShownColumn, rem: number | null): void {
  const { [column]: _before, ...others } = choiceNow().rem;
  keepChoice({ ...choiceNow(), rem: rem === null ? others : { ...others, [column]: inRange(rem) } });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The columns that were chosen in this browser. */
export const useColumnChoice = (): ColumnChoice => useSyncExternalStore(subscribe, choiceNow);

/** A choice with a column shown or hidden. The title is always shown. */
export function withShown(
  columns: readonly ShownColumn[],
  column: ShownColumn,
  isShown: boolean,
): ShownColumn[] {
  if (!isShown) return columns.filter((other) => other !== column || other === 'title');
  return columns.includes(column) ? [...columns] : [...columns, column];
}

/** The columns with one moved by a place to the left (-1) or right. */
export function withMoved(columns: readonly ShownColumn[], column: ShownColumn, by: -1 | 1): ShownColumn[] {
  const at = columns.indexOf(column);
  const other = columns[at + by];
  if (at === -1 || other === undefined) return [...columns];
  return columns.map((name, place) => (place === at ? other : place === at + by ? column : name));
}
