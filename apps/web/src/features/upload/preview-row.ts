import type { DataRow } from '@draftshelf/csv/read-table';
import type { RowIssue } from '@draftshelf/domain/review/issues';
import type { RowClass } from '@draftshelf/domain/review/row-rule';

/** A row of a file's preview. */
export type PreviewRow = {
  row: number;
  line: number;
  ignored: DataRow['ignored'];
  cells: string[];
  /** Null for an ignored row. */
  class: RowClass | null;
  issues: RowIssue[];
};
