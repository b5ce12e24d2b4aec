import { headName } from '@draftshelf/domain/base/field-look';
import { type RowSort, sortsOf } from '@draftshelf/domain/review/row-sort';
import { formatCount } from '../../../lib/intl.ts';

type SortWords = {
  sort: RowSort;
  sorting: { isSorting: boolean; done: number; total: number } | null;
  /** The rows are still those of the order before. */
  isOld: boolean;
  /** Null: the rows could not be sorted with their filter. `time`: when they were. */
  sorted: { isOutdated: boolean; time: string } | null;
};

/** What rows are sorted by: 'Price, ascending, as of 9:12 PM. Values were edited since.' */
export function sortWords({ sort, sorting, isOld, sorted }: SortWords): string {
  const sorts = sortsOf(sort);
  const heads = sorts.map(({ field }) => headName(field)).join(' and ');
  if (sorting?.isSorting) {
    const { done, total } = sorting;
    const percent = total === 0 ? 0 : Math.floor((100 * done) / total);
    return `Sorting ${formatCount(total)} rows by ${heads}: ${percent}%`;
  }
  if (isOld || sorting === null) return `Sorting by ${heads}…`;
  if (sorted === null)
    return 'So many rows match that they can’t be sorted. They are in the order of the file.';
  const by = sorts.map(({ field, direction }) => `${headName(field)}, ${direction}`);
  const since = sorted.isOutdated ? ` as of ${sorted.time}. Values were edited since.` : '';
  return `Sorted by ${by.join(', then by ')}${since}`;
}
