import type { ReadingIssue } from '@draftshelf/csv/read-table';
import { longer, type RowCheck, rowChecks } from '@draftshelf/reading/product-classes';
import type { PreviewRow } from './preview.ts';

/** This many rows with problems are shown. The import lists all of them. */
export const problemRowsMax = 50;

/** What was found in every row of a file, a byte each: a row's class may depend on rows far above it. */
export function rowCheckList(): {
  /** Adds the next row. */
  add: (check: RowCheck | null) => void;
  /** What was found in a row, counted from 1. */
  at: (row: number) => RowCheck | null;
} {
  let codes = new Uint8Array(1024);
  let length = 0;
  return {
    add(check) {
      if (length === codes.length) codes = longer(codes, length + 1);
      codes[length] = check === null ? 0 : rowChecks.indexOf(check) + 1;
      length += 1;
    },
    at: (row) => rowChecks[(codes[row - 1] ?? 0) - 1] ?? null,
  };
}

/**
 * Counts the rows with problems and keeps the first of them. Rows without a title or price come first: they cannot be
 * pushed, while a row whose form is not in order usually can.
 */
export function problemRows(): {
  add: (check: RowCheck | null, issues: readonly ReadingIssue[], row: () => PreviewRow) => void;
  readonly count: number;
  /** The first ones, in the order of the file. */
  first: () => PreviewRow[];
} {
  let count = 0;
  const incomplete: PreviewRow[] = [];
  const irregular: PreviewRow[] = [];
  return {
    add(check, issues, row) {
      if (check === null || (check.class === 'valid' && issues.length === 0)) return;
      count += 1;
      const kept = check.class === 'valid' ? irregular : incomplete;
      if (kept.length < problemRowsMax) kept.push(row());
    },
    get count() {
      return count;
    },
    first: () =>
      [...incomplete, ...irregular].slice(0, problemRowsMax).toSorted((one, other) => one.row - other.row),
  };
}
