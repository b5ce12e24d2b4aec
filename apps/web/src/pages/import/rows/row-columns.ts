import type { Row } from '@draftshelf/contract/review/rows';
import { issueCodes, issueField } from '@draftshelf/domain/review/issues';
import { type InlineField, inlineFields } from './row-edit.ts';

/** A column of the rows' table. */
export type RowColumn = 'row' | 'class' | 'image' | InlineField | 'outcome' | 'edit';

/** In the order of the table. */
const columns: readonly RowColumn[] = ['row', 'class', 'image', ...inlineFields, 'outcome', 'edit'];

/**
 * Widths in rem, by the longest values of most files: a box and '25,000', '$1000000.99', '1,000,000', thirteen digits,
 * two buttons.
 */
const columnRem: Record<Exclude<RowColumn, 'title'>, number> = {
  row: 4.75,
  class: 2.75,
  image: 4.5,
  price: 7,
  compareAtPrice: 7,
  cost: 7,
  vendor: 8.25,
  type: 8.25,
  sku: 8.25,
  upc: 8.25,
  quantity: 5.25,
  outcome: 8,
  edit: 4.5,
};

/** The title's column also holds the sentences about a row. */
const titleRemMin = 14;
const titleShare = 0.3;

/** Columns of every table. */
const fixed: readonly RowColumn[] = ['row', 'class', 'title', 'price', 'edit'];
/** The others, the most useful first. */
const byUse = [
  'outcome',
  'quantity',
  'upc',
  'image',
  'vendor',
  'sku',
  'compareAtPrice',
  'type',
  'cost',
] as const satisfies readonly RowColumn[];

/** The width of a column in rem; undefined for the title, which takes what is left. */
export const remOf = (column: RowColumn): number | undefined =>
  column === 'title' ? undefined : columnRem[column];

/**
 * The columns of the table where it is `rem` wide: of those that the import has, as many as leave the title its room.
 * `wrong`: the field of the issue that rows are filtered by comes before the others, because it is edited in its cell.
 */
export function rowColumns(
  has: ReadonlySet<RowColumn>,
  rem: number,
  wrong: string | null = null,
): RowColumn[] {
  const shown = new Set(fixed);
  let left = rem - Math.max(titleRemMin, rem * titleShare);
  for (const column of fixed) left -= remOf(column) ?? 0;
  for (const column of byUse.toSorted((a, b) => Number(b === wrong) - Number(a === wrong))) {
    if (!has.has(column) || columnRem[column] > left) continue;
    shown.add(column);
    left -= columnRem[column];
  }
  return columns.filter((column) => shown.has(column));
}

/** The columns that rows have something to show in. */
export function columnsOf(rows: readonly Row[]): RowColumn[] {
  const hasImage = ({ values, image }: Row) => Boolean(values.image) || (image?.lookup ?? null) !== null;
  return [
    ...inlineFields.filter((field) => rows.some(({ values }) => values[field])),
    ...(rows.some(hasImage) ? (['image'] as const) : []),
    ...(rows.some(({ undone }) => undone !== undefined) ? (['outcome'] as const) : []),
  ];
}

/** The field of the issue that rows are filtered by. A duplicate UPC mostly has its column anyway. */
export function wrongColumn(issue: string | undefined): string | null {
  const code = issueCodes.find((one) => one === issue);
  if (code === undefined) return null;
  return code === 'duplicate' ? 'sku' : issueField(code);
}
