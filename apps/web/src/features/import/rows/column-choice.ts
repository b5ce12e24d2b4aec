import { type InlineField, inlineFields } from '@draftshelf/domain/base/field-look';
import { useSyncExternalStore } from 'react';
import { hasShape, isNumber, isText } from '../../../lib/storage.ts';

/** Differences from the usual columns, which this browser keeps for all imports. */
export type ColumnChoice = {
  hidden: readonly ShownColumn[];
  /** Shown where the import has them, and in the import with this id, where they were added last. */
  added: Readonly<Partial<Record<ShownColumn, string>>>;
  /** Empty: the usual order. */
  order: readonly ShownColumn[];
  rem: Readonly<Partial<Record<ShownColumn, number>>>;
};

export const noChoice: ColumnChoice = { hidden: [], added: {}, order: [], rem: {} };

const storageKey = 'draftshelf-columns';

const isColumn = (name: unknown): name is ShownColumn =>
  isText(name) && (isFileColumn(name) || (shownColumns as readonly string[]).includes(name));

const isColumns = (value: unknown) =>
  Array.isArray(value) && value.every(isColumn) && new Set(value).size === value.length;

const isByColumn = (is: (value: unknown) => boolean) => (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([name, of]) => isColumn(name) && is(of));

const isChoice = hasShape<ColumnChoice>({
  hidden: isColumns,
  added: isByColumn(isText),
  order: isColumns,
  rem: isByColumn((rem) => isNumber(rem) && rem === inRange(rem)),
});

/** Clamps a width, in quarters of a rem. */
export const inRange = (rem: number): number =>
  Math.min(Math.max(Math.round(4 * rem) / 4, remRange.min), remRange.max);

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

export const useColumnChoice = (): ColumnChoice => useSyncExternalStore(subscribe, choiceNow);

/** Columns as arranged by `order`. Those that it lacks follow the column that is before them in `columns`. */
export function inOrder(columns: readonly ShownColumn[], order: readonly ShownColumn[]): ShownColumn[] {
  const arranged = order.filter((column) => columns.includes(column));
  for (const [at, column] of columns.entries()) {
    const before = columns[at - 1];
    if (!order.includes(column)) arranged.splice(before ? arranged.indexOf(before) + 1 : 0, 0, column);
  }
  return arranged;
}

/** `importId`: the import that the operator looks at. The title is always shown. */
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

/** Moves a shown column by one place; -1: to the left. */
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

/** A column of the file, by its header. */
export type FileColumn = `cell:${string}`;

export type ShownColumn = 'image' | InlineField | 'outcome' | FileColumn;

/** The columns of every import, in their usual order. */
export const shownColumns: readonly ShownColumn[] = ['image', ...inlineFields, 'outcome'];

export const fileColumn = (header: string): FileColumn => `cell:${header}`;
export const isFileColumn = (name: string): name is FileColumn => name.startsWith('cell:');
export const headerOf = (column: FileColumn): string => column.slice('cell:'.length);

const remRange = { min: 4, max: 60 } as const;
