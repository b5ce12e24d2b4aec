import type { Row } from '@draftshelf/contract/review/rows';
import {
  headName,
  type InlineField,
  inlineFields,
  lookOf,
  usualFields,
} from '@draftshelf/domain/base/field-look';
import { issueCodes, issueField } from '@draftshelf/domain/review/issues';
import { useState } from 'react';
import type { ShownImport } from '../imports-api.ts';
import {
  type ColumnChoice,
  type FileColumn,
  fileColumn,
  headerOf,
  inOrder,
  isFileColumn,
  type ShownColumn,
  shownColumns,
  useColumnChoice,
} from './column-choice.ts';

export type RowColumn = 'row' | 'class' | ShownColumn | 'edit';

export type OtherColumn = Exclude<RowColumn, InlineField | FileColumn>;

const columns: readonly RowColumn[] = ['row', 'class', ...shownColumns, 'edit'];

/** Widths in rem of the columns that show no field: a box and '25,000', two buttons. */
const otherRem: Record<OtherColumn, number> = {
  row: 4.75,
  class: 2.75,
  image: 4.5,
  outcome: 8,
  edit: 4.5,
};

/** The title's column also holds the sentences about a row. */
const titleRemMin = 14;
const titleShare = 0.3;
/** SKUs of a file often differ only in their middle, so their column takes the room that the title can spare. */
const skuRemMax = 14;
/** Its width in a table that scrolls: a SKU of 26 capital letters. */
const skuRemWide = 17;

const fixed: readonly RowColumn[] = ['row', 'class', 'title', 'price', 'edit'];
/** An outcome and a picture stand among the fields. */
const useOf = (column: RowColumn): number =>
  column === 'outcome' ? 1 : column === 'image' ? 4 : (lookOf(column).use ?? 0);
const byUse = (['image', 'outcome', ...usualFields] as const)
  .filter((column) => !fixed.includes(column))
  .toSorted((a, b) => useOf(a) - useOf(b));

/** Undefined for the title, which takes the rest. */
export function remOf(column: RowColumn): number | undefined {
  if (!isField(column) && !isFileColumn(column)) return otherRem[column];
  const { isNumber, rem = isNumber ? 7 : 8.25 } = lookOf(column);
  return rem ?? undefined;
}

export function columnName(column: ShownColumn): string {
  if (isFileColumn(column)) return headerOf(column);
  return column === 'image' ? 'Image' : column === 'outcome' ? 'Outcome' : headName(column);
}

export const isField = (column: RowColumn): column is InlineField =>
  (inlineFields as readonly string[]).includes(column);

/** `wrong`: the field of the issue that rows are filtered by, which comes first because it is edited in its cell. */
export function rowColumns(
  has: ReadonlySet<RowColumn>,
  rem: number,
  wrong: string | null = null,
): RowColumn[] {
  const fitting = new Set(fixed);
  let left = rem - titleRem(rem);
  for (const column of fixed) left -= remOf(column) ?? 0;
  for (const column of byUse.toSorted((a, b) => Number(b === wrong) - Number(a === wrong))) {
    const width = remOf(column) ?? 0;
    if (!has.has(column) || width > left) continue;
    fitting.add(column);
    left -= width;
  }
  return columns.filter((column) => fitting.has(column));
}

const titleRem = (rem: number): number => Math.max(titleRemMin, rem * titleShare);

export function columnsOf(rows: readonly Row[]): RowColumn[] {
  const hasImage = ({ values, image }: Row) => Boolean(values.image) || (image?.lookup ?? null) !== null;
  return [
    ...inlineFields.filter((field) => rows.some(({ values }) => values[field])),
    ...(rows.some(hasImage) ? (['image'] as const) : []),
    ...(rows.some(({ undone }) => undone !== undefined) ? (['outcome'] as const) : []),
  ];
}

/** A duplicate UPC mostly has its column anyway. */
export function wrongColumn(issue: string | undefined): string | null {
  const code = issueCodes.find((name) => name === issue);
  if (code === undefined) return null;
  return code === 'duplicate' ? 'sku' : issueField(code);
}

export const shownOf = (all: readonly RowColumn[]): ShownColumn[] =>
  all.filter((column) => column !== 'row' && column !== 'class' && column !== 'edit');

/** `isWide`: the columns do not fit, so the table scrolls. */
export type ShownTable = {
  columns: readonly RowColumn[];
  has: ReadonlySet<RowColumn>;
  remOf: (column: RowColumn) => number | undefined;
  isWide: boolean;
};

/** A column that was shown once stays, so that filters and pages move none, except that of a filtered issue. */
export function useShownTable(
  record: ShownImport,
  { rows, headers }: { rows: readonly Row[]; headers: readonly string[] },
  rem: number,
  issue: string | undefined,
): ShownTable {
  const choice = useColumnChoice();
  const [seen, setSeen] = useState<ReadonlySet<RowColumn>>(new Set());
  const found = columnsOf(rows).filter((column) => !seen.has(column));
  if (found.length > 0) setSeen(new Set([...seen, ...found]));
  const mapped = ([...inlineFields, 'image'] as const).filter((field) => record.fieldMapping[field]);
  const isPushed = Object.values(record.outcomes).some((count) => count > 0);
  const has = new Set([
    ...[...seen, ...found, ...mapped, ...headers.map(fileColumn)],
    ...(isPushed ? ['outcome' as const] : []),
  ]);
  return tableOf({ choice, importId: record.id }, has, rem, wrongColumn(issue));
}

export function tableOf(
  { choice, importId }: { choice: ColumnChoice; importId: string },
  has: ReadonlySet<RowColumn>,
  rem: number,
  wrong: string | null,
): ShownTable {
  const widthOf = (column: RowColumn) => choice.rem[column as ShownColumn] ?? remOf(column);
  const added = (Object.keys(choice.added) as ShownColumn[]).filter(
    (column) => has.has(column) || choice.added[column] === importId,
  );
  const usual = shownOf(rowColumns(has, rem, wrong));
  const chosen = [...new Set([...usual, ...added])].filter(
    (column) => !choice.hidden.includes(column) || column === 'title' || column === wrong,
  );
  const shown: readonly RowColumn[] = ['row', 'class', ...inOrder(chosen, choice.order), 'edit'];
  const width = shown.reduce((sum, column) => sum + (widthOf(column) ?? titleRemMin), 0);
  const isWide = width > rem;
  const spare = rem - shown.reduce((sum, column) => sum + (widthOf(column) ?? titleRem(rem)), 0);
  const skuRem = (own: number) => {
    if (choice.rem.sku !== undefined) return own;
    return isWide ? skuRemWide : Math.max(own, Math.min(own + spare, skuRemMax));
  };
  return {
    columns: shown,
    has,
    isWide,
    remOf: (column) => {
      // In a table that scrolls, nothing is left for the title.
      const own = widthOf(column) ?? (isWide ? titleRem(rem) : undefined);
      return column === 'sku' && own !== undefined ? skuRem(own) : own;
    },
  };
}
