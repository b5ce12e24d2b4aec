import { type CanonicalInlineField, sortFields } from '../base/field-look.ts';

/** A field to sort rows by; descending with a minus. */
export type SortField = CanonicalInlineField | `-${CanonicalInlineField}`;

const sortBys: readonly SortField[] = sortFields.flatMap((field): SortField[] => [field, `-${field}`]);

type Direction = 'ascending' | 'descending';

type ByTwo = `${SortField},${SortField}`;

/** One field or two, as in 'vendor,-price'. The second field sorts rows with the same value in the first field. */
export type RowSort = SortField | ByTwo;

export const splitRowSort = (sort: RowSort): { field: CanonicalInlineField; direction: Direction }[] =>
  sort.split(',').map((by) => ({
    field: by.replace('-', '') as CanonicalInlineField,
    direction: by.startsWith('-') ? 'descending' : 'ascending',
  }));

/** Parses a sort. Null if the text is no sort or names one field twice. */
export function parseRowSort(text: string): RowSort | null {
  const bys = text.split(',');
  const isSort = bys.length < 3 && bys.every((by) => sortBys.some((one) => one === by));
  const fields = new Set(bys.map((by) => by.replace('-', '')));
  return isSort && fields.size === bys.length ? (text as RowSort) : null;
}
