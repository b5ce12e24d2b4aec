import { headName } from '@draftshelf/domain/base/field-look';
import { type RowSort, sortsOf } from '@draftshelf/domain/review/row-sort';

/** What rows are sorted by: 'Sorted by Brand, ascending, then by Price, descending'. */
export function sortWords(sort: RowSort, isLoading: boolean): string {
  const sorts = sortsOf(sort);
  if (isLoading) return `Sorting by ${sorts.map(({ field }) => headName(field)).join(' and ')}…`;
  const by = sorts.map(({ field, direction }) => `${headName(field)}, ${direction}`);
  return `Sorted by ${by.join(', then by ')}`;
}
