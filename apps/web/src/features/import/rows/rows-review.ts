import type { RowPage } from '@draftshelf/contract/review/rows';
import { createContext, use } from 'react';
import type { BulkEdit } from '../bulk-edit/bulk-edit.tsx';
import type { ShownDetails } from '../imports-api.ts';
import type { RowTicks } from '../row-ticks.ts';
import type { RowDrafts } from './row-edit.ts';
import type { RowsPage } from './rows-page.ts';
import type { Problems } from './use-problems.ts';

export type RowsReview = RowsPage & {
  record: ShownDetails;
  /** Reason for not editing rows now; null if they can be edited. */
  lock: string | null;
  drafts: RowDrafts;
  /** The page as it is shown. While another page loads, its rows are the previous ones. */
  page: RowPage;
  problems: Problems;
  ticks: RowTicks;
  bulkEdit: BulkEdit;
  isBeside: boolean;
};

export const RowsReviewContext = createContext<RowsReview | null>(null);

export function useRowsReview(): RowsReview {
  const review = use(RowsReviewContext);
  if (review === null) throw new Error('Rows are only reviewed in the preview of an import.');
  return review;
}
