import { type OwnInlineField, sortFields } from '../base/field-look.ts';

/** A field that rows are sorted by; with a minus, descending. */
export type SortBy = OwnInlineField | `-${OwnInlineField}`;

const sortBys: readonly SortBy[] = sortFields.flatMap((field): SortBy[] => [field, `-${field}`]);

type Direction = 'ascending' | 'descending';

type ByTwo = `${SortBy},${SortBy}`;

/** One sort, or a second one for rows that are equal: 'vendor,-price'. */
export type RowSort = SortBy | ByTwo;

export const sortsOf = (sort: RowSort): { field: OwnInlineField; direction: Direction }[] =>
  sort.split(',').map((by) => ({
    field: by.replace('-', '') as OwnInlineField,
    direction: by.startsWith('-') ? 'descending' : 'ascending',
  }));

/** The sort that a text names; null if it names none, or one field twice. */
export function parseRowSort(text: string): RowSort | null {
  const bys = text.split(',');
  const isSort = bys.length < 3 && bys.every((by) => sortBys.some((one) => one === by));
  const fields = new Set(bys.map((by) => by.replace('-', '')));
  return isSort && fields.size === bys.length ? (text as RowSort) : null;
}
