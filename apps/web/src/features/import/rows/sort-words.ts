import { formatCount } from '../../../lib/intl.ts';

type SortWords = {
  /** The name of the column. */
  head: string;
  sorting: { direction: 'ascending' | 'descending'; isSorting: boolean; done: number; total: number } | null;
  /** The rows are still those of the order before. */
  isOld: boolean;
  /** Null: the rows could not be sorted with their filter. `time`: when they were. */
  sorted: { isOutdated: boolean; time: string } | null;
};

/** What rows are sorted by: 'Price, ascending, as of 9:12 PM. Values were edited since.' */
export function sortWords({ head, sorting, isOld, sorted }: SortWords): string {
  if (sorting?.isSorting) {
    const { done, total } = sorting;
    const percent = total === 0 ? 0 : Math.floor((100 * done) / total);
    return `Sorting ${formatCount(total)} rows by ${head}: ${percent}%`;
  }
  if (isOld || sorting === null) return `Sorting by ${head}…`;
  if (sorted === null)
    return 'So many rows match that they can’t be sorted. They are in the order of the file.';
  const since = sorted.isOutdated ? ` as of ${sorted.time}. Values were edited since.` : '';
  return `Sorted by ${head}, ${sorting.direction}${since}`;
}
