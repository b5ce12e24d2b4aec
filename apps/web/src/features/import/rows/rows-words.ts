import { headName } from '@draftshelf/domain/base/field-look';
import { type RowSort, sortsOf } from '@draftshelf/domain/review/row-sort';
import { countOf, formatCount } from '../../../lib/intl.ts';

type RowsRange = {
  onPage: number;
  stillMatch: number;
  /** Null: not counted. */
  matching: number | null;
};

/** '25 of 28 matching rows'. Rows that are shown although they have left the filter are counted apart. */
export function rangeWords({ onPage, stillMatch, matching }: RowsRange): string {
  if (stillMatch < onPage) {
    if (onPage === 1) return '1 row, which no longer matches';
    const matches = stillMatch === 1 ? 'matches' : 'match';
    return `${formatCount(stillMatch)} of these ${countOf(onPage, 'row')} still ${matches}`;
  }
  if (matching === null) return `${countOf(onPage, 'matching row')} on this page`;
  return `${formatCount(onPage)} of ${countOf(matching, 'matching row')}`;
}

/** 'Sorted by Brand, ascending, then by Price, descending'. */
export function sortWords(sort: RowSort, isLoading: boolean): string {
  const sorts = sortsOf(sort);
  if (isLoading) return `Sorting by ${sorts.map(({ field }) => headName(field)).join(' and ')}…`;
  const by = sorts.map(({ field, direction }) => `${headName(field)}, ${direction}`);
  return `Sorted by ${by.join(', then by ')}`;
}
