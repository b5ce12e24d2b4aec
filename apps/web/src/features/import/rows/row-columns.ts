import type { Row } from '@draftshelf/contract/review/rows';
import {
  columnHeading,
  displayOf,
  fieldsShownByDefault,
  type InlineField,
  inlineFields,
} from '@draftshelf/domain/base/field-look';
import { isMetafieldField } from '@draftshelf/domain/base/metafields';
import { issueCodes, issueField } from '@draftshelf/domain/review/issues';
import { useState } from 'react';
import { attempt, createStore, hasShape, isNumber, isText } from '../../../lib/storage.ts';
import type { ShownImport } from '../imports-api.ts';

/** The operator's differences from the usual columns, stored in this browser for all imports. */
export type ColumnChoice = {
  hidden: readonly ShownColumn[];
  /** The import in which each column was last added. The column is shown there, and in imports where it has values. */
  added: Readonly<Partial<Record<ShownColumn, string>>>;
  /** Empty if the columns have their usual order. */
  order: readonly ShownColumn[];
  rem: Readonly<Partial<Record<ShownColumn, number>>>;
};

export const emptyColumnChoice: ColumnChoice = { hidden: [], added: {}, order: [], rem: {} };

const storageKey = 'draftshelf-columns';

const isColumn = (name: unknown): name is ShownColumn =>
  isText(name) &&
  (isFileColumn(name) || isMetafieldField(name) || (standardColumns as readonly string[]).includes(name));

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
  rem: isByColumn((rem) => isNumber(rem) && rem === clampWidth(rem)),
});

/** Clamps a width, and rounds it to quarters of a rem. */
export const clampWidth = (rem: number): number =>
  Math.min(Math.max(Math.round(4 * rem) / 4, remRange.min), remRange.max);

export function parseColumnChoice(text: string | null): ColumnChoice {
  const choice: unknown = attempt(() => JSON.parse(text ?? 'null'));
  return isChoice(choice) ? choice : emptyColumnChoice;
}

/** Sorts columns by `order`. A column missing in `order` follows the column before it in `columns`. */
export function orderColumns(columns: readonly ShownColumn[], order: readonly ShownColumn[]): ShownColumn[] {
  const arranged = order.filter((column) => columns.includes(column));
  for (const [at, column] of columns.entries()) {
    const before = columns[at - 1];
    if (!order.includes(column)) arranged.splice(before ? arranged.indexOf(before) + 1 : 0, 0, column);
  }
  return arranged;
}

/** Shows or hides a column. `importId`: the open import, to which a shown column is added. The title stays shown. */
export function setColumnShown(
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

/** Moves a shown column by one place: -1 to the left, 1 to the right. */
export function moveColumn(
  choice: ColumnChoice,
  shown: readonly ShownColumn[],
  column: ShownColumn,
  by: -1 | 1,
): ColumnChoice {
  const at = shown.indexOf(column);
  const other = shown[at + by];
  if (at === -1 || other === undefined) return choice;
  const moved = shown.map((name, place) => (place === at ? other : place === at + by ? column : name));
  // Columns of other imports stay behind the same column as before.
  return { ...choice, order: orderColumns([...new Set([...choice.order, ...shown])], moved) };
}

/** A column that shows the cells as in the file. It is named by the header of the file's column. */
export type FileColumn = `cell:${string}`;

export type ShownColumn = 'image' | InlineField | 'outcome' | FileColumn;

/** The columns of every import, in their usual order. A metafield's column is shown only if it is chosen. */
export const standardColumns: readonly ShownColumn[] = ['image', ...inlineFields, 'outcome'];

export const toFileColumn = (header: string): FileColumn => `cell:${header}`;
export const isFileColumn = (name: string): name is FileColumn => name.startsWith('cell:');
export const fileColumnHeader = (column: FileColumn): string => column.slice('cell:'.length);

const remRange = { min: 4, max: 60 } as const;

const kept = createStore(
  attempt(() => parseColumnChoice(localStorage.getItem(storageKey))) ?? emptyColumnChoice,
);

export function saveColumnChoice(choice: ColumnChoice): void {
  attempt(() => localStorage.setItem(storageKey, JSON.stringify(choice)));
  kept.set(choice);
}

/** Saves the width of a column. Null restores the usual width. */
export function saveColumnWidth(column: ShownColumn, rem: number | null): void {
  const choice = kept.get();
  const { [column]: _before, ...others } = choice.rem;
  saveColumnChoice({ ...choice, rem: rem === null ? others : { ...others, [column]: clampWidth(rem) } });
}

export const useColumnChoice = kept.use;

export type RowColumn = 'row' | 'class' | ShownColumn | 'edit';

export type NonFieldColumn = Exclude<RowColumn, InlineField | FileColumn>;

const columns: readonly RowColumn[] = ['row', 'class', ...standardColumns, 'edit'];

/** Widths in rem of columns that show no field: a checkbox and a number like '25,000', an icon, two buttons. */
const otherRem: Record<NonFieldColumn, number> = {
  row: 4.75,
  class: 2.75,
  image: 4.5,
  outcome: 8,
  edit: 4.5,
};

/** The title's column also holds the sentences about a row. */
const titleRemMin = 14;
const titleShare = 0.3;
/** Maximum width in rem. SKUs often differ only in the middle, so they get the width that titles can spare. */
const skuRemMax = 14;
/** Width in rem in a table that scrolls, enough for a SKU of 26 capital letters. */
const skuRemWide = 17;
/** Returns the width in rem that a SKU of this length needs at most. */
const skuRemOf = (chars: number) => 1.5 + 0.6 * chars;

const fixed: readonly RowColumn[] = ['row', 'class', 'title', 'price', 'edit'];
/** Returns a column's priority, a smaller number for a more useful column. */
const useOf = (column: RowColumn): number =>
  column === 'outcome' ? 1 : column === 'image' ? 4 : (displayOf(column).use ?? 0);
const byUse = (['image', 'outcome', ...fieldsShownByDefault] as const)
  .filter((column) => !fixed.includes(column))
  .toSorted((a, b) => useOf(a) - useOf(b));

/** Undefined for the title, which takes the remaining width. */
export function findColumnRem(column: RowColumn): number | undefined {
  if (!isFieldColumn(column) && !isFileColumn(column)) return otherRem[column];
  const { isNumber, rem = isNumber ? 7 : 8.25 } = displayOf(column);
  return rem ?? undefined;
}

export function columnName(column: ShownColumn): string {
  if (isFileColumn(column)) return fileColumnHeader(column);
  return column === 'image' ? 'Image' : column === 'outcome' ? 'Outcome' : columnHeading(column);
}

export const isFieldColumn = (column: RowColumn): column is InlineField =>
  (inlineFields as readonly string[]).includes(column) || isMetafieldField(column);

/** Returns the columns that fit. `wrong`: the filtered issue's field, whose column has priority over all others. */
export function fitColumns(
  has: ReadonlySet<RowColumn>,
  rem: number,
  wrong: string | null = null,
): RowColumn[] {
  const fitting = new Set(fixed);
  let left = rem - titleRem(rem);
  for (const column of fixed) left -= findColumnRem(column) ?? 0;
  for (const column of byUse.toSorted((a, b) => Number(b === wrong) - Number(a === wrong))) {
    const width = findColumnRem(column) ?? 0;
    if (!has.has(column) || width > left) continue;
    fitting.add(column);
    left -= width;
  }
  return columns.filter((column) => fitting.has(column));
}

const titleRem = (rem: number): number => Math.max(titleRemMin, rem * titleShare);

export function findFilledColumns(rows: readonly Row[]): RowColumn[] {
  const hasImage = ({ values, image }: Row) => Boolean(values.image) || (image?.lookup ?? null) !== null;
  return [
    ...inlineFields.filter((field) => rows.some(({ values }) => values[field])),
    ...(rows.some(hasImage) ? (['image'] as const) : []),
    ...(rows.some(({ undone }) => undone !== undefined) ? (['outcome'] as const) : []),
  ];
}

/** Returns the field whose column shows an issue: for duplicates the SKU, because the UPC usually has a column. */
export function findIssueColumn(issue: string | undefined): string | null {
  const code = issueCodes.find((name) => name === issue);
  if (code === undefined) return null;
  return code === 'duplicate' ? 'sku' : issueField(code);
}

export const selectShownColumns = (all: readonly RowColumn[]): ShownColumn[] =>
  all.filter((column) => column !== 'row' && column !== 'class' && column !== 'edit');

export type ShownTable = ReturnType<typeof createShownTable>;

/** Returns the table's columns. Changes of filter or page keep shown columns, except the column of a filtered issue. */
export function useShownTable(
  record: ShownImport,
  { rows, headers }: { rows: readonly Row[]; headers: readonly string[] },
  rem: number,
  issue: string | undefined,
): ShownTable {
  const choice = useColumnChoice();
  const [seen, setSeen] = useState<ReadonlySet<RowColumn>>(new Set());
  const [skuChars, setSkuChars] = useState(0);
  const found = findFilledColumns(rows).filter((column) => !seen.has(column));
  if (found.length > 0) setSeen(new Set([...seen, ...found]));
  const mapped = ([...inlineFields, 'image'] as const).filter((field) => record.fieldMapping[field]);
  const isPushed = Object.values(record.outcomes).some((count) => count > 0);
  const has = new Set([
    ...[...seen, ...found, ...mapped, ...headers.map(toFileColumn)],
    ...Object.keys(record.fieldMapping).filter(isMetafieldField),
    ...(isPushed ? ['outcome' as const] : []),
  ]);
  const longest = Math.max(skuChars, ...rows.map(({ values: { sku } }) => sku?.length ?? 0));
  if (longest > skuChars) setSkuChars(longest);
  return createShownTable({ choice, importId: record.id }, has, rem, findIssueColumn(issue), longest);
}

export function createShownTable(
  { choice, importId }: { choice: ColumnChoice; importId: string },
  has: ReadonlySet<RowColumn>,
  rem: number,
  wrong: string | null,
  skuChars = Number.POSITIVE_INFINITY,
) {
  const widthOf = (column: RowColumn) => choice.rem[column as ShownColumn] ?? findColumnRem(column);
  const added = (Object.keys(choice.added) as ShownColumn[]).filter(
    (column) => has.has(column) || choice.added[column] === importId,
  );
  const usual = selectShownColumns(fitColumns(has, rem, wrong));
  const chosen = [...new Set([...usual, ...added])].filter(
    (column) => !choice.hidden.includes(column) || column === 'title' || column === wrong,
  );
  const shown: readonly RowColumn[] = ['row', 'class', ...orderColumns(chosen, choice.order), 'edit'];
  const width = shown.reduce((sum, column) => sum + (widthOf(column) ?? titleRemMin), 0);
  const isWide = width > rem;
  const spare = rem - shown.reduce((sum, column) => sum + (widthOf(column) ?? titleRem(rem)), 0);
  const skuRem = (own: number) => {
    if (choice.rem.sku !== undefined) return own;
    const most = Math.min(isWide ? skuRemWide : Math.min(own + spare, skuRemMax), skuRemOf(skuChars));
    return Math.max(own, most);
  };
  return {
    columns: shown,
    has,
    /** True if the columns are wider than the table, which then scrolls. */
    isWide,
    remOf: (column: RowColumn): number | undefined => {
      // A table that scrolls has no remaining width, so the title gets a width, too.
      const own = widthOf(column) ?? (isWide ? titleRem(rem) : undefined);
      return column === 'sku' && own !== undefined ? skuRem(own) : own;
    },
  };
}
