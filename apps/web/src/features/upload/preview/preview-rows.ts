import type { DataRow, ReadingIssue } from '@draftshelf/csv/read-table';
import type { RowIssue } from '@draftshelf/domain/review/issues';
import type { RowClass } from '@draftshelf/domain/review/row-rule';
import type { RowCheck } from '@draftshelf/reading/product-classes';

export type PreviewRow = {
  row: number;
  line: number;
  ignored: DataRow['ignored'];
  cells: string[];
  /** Null if the row is ignored. */
  class: RowClass | null;
  issues: RowIssue[];
};

/** Maximum number of rows with problems that the preview lists. The import lists all of them. */
export const problemRowsMax = 50;

/** Stores the check of each row in two bytes. A row cannot be checked alone, because rows far above may matter. */
export function createRowCheckList() {
  /** The distinct checks, of which a file has few. `numbers` refers to them. */
  const checks: RowCheck[] = [];
  /** For each row, the index of its check plus 1; 0 for an ignored row. */
  let numbers = new Uint16Array(1024);
  let length = 0;
  return {
    add(check: RowCheck | null) {
      if (length === numbers.length) {
        const before = numbers;
        numbers = new Uint16Array(length * 2);
        numbers.set(before);
      }
      if (check !== null) {
        numbers[length] = check.number + 1;
        checks[check.number] = check;
      }
      length += 1;
    },
    /** Returns the check of a row; rows count from 1. */
    at: (row: number): RowCheck | null => checks[(numbers[row - 1] ?? 0) - 1] ?? null,
  };
}

/** Collects rows with problems. Rows without title or price come first, because most other rows can be pushed. */
export function createProblemRowList() {
  let count = 0;
  const incomplete: PreviewRow[] = [];
  const others: PreviewRow[] = [];
  return {
    add(check: RowCheck | null, issues: readonly ReadingIssue[], row: () => PreviewRow) {
      if (check === null || (check.class === 'valid' && check.issues.length + issues.length === 0)) return;
      count += 1;
      const list = check.class === 'valid' ? others : incomplete;
      if (list.length < problemRowsMax) list.push(row());
    },
    get count() {
      return count;
    },
    /** Returns at most `problemRowsMax` rows, in the order of the file. */
    first: () => [...incomplete, ...others].slice(0, problemRowsMax).toSorted((a, b) => a.row - b.row),
  };
}
