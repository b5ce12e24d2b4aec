import type { RowFacets } from '@draftshelf/contract/review/rows';
import { useEffect, useState } from 'react';
import { sessionList } from '../../../lib/session-list.ts';
import { hasShape, isNumber, isText } from '../../../lib/shape.ts';

/** Rows that need the operator: how many the review has seen, and how many are still open. */
export type Fixing = { total: number; open: number };

/** After the next count of open rows. A row that is open again no longer counts as fixed. */
export function nextFixing(before: Fixing | null, open: number): Fixing {
  if (before?.open === open) return before;
  return { total: Math.max(before?.total ?? 0, open), open };
}

/** '2 of 3 done': fixed, or left out of the push. */
export function doneWords({ total, open }: Fixing, format: (count: number) => string): string {
  return `${format(total - open)} of ${format(total)} done`;
}

/**
 * How far the rows that need the operator are fixed since this tab first showed them; `review` names the import and its
 * stage. `isLoading`: the counts may be old.
 */
export function useFixing(review: string, { needsYou: open }: RowFacets, isLoading: boolean): Fixing {
  const [last, setLast] = useState(() => ({ review, fixing: storedFixing(review) }));
  const before = last.review === review ? last.fixing : storedFixing(review);
  const fixing = before !== null && isLoading ? before : nextFixing(before, open);
  if (last.review !== review || last.fixing !== fixing) setLast({ review, fixing });
  useEffect(() => storeFixing(review, fixing), [review, fixing]);
  return fixing;
}

const isReview = hasShape<Fixing & { review: string }>({ review: isText, total: isNumber, open: isNumber });
const reviewsMax = 50;
const reviews = sessionList('draftshelf-reviews', isReview);

/** How far a review was when it was last shown; null: it was not. */
export function storedFixing(review: string): Fixing | null {
  const stored = reviews.read().find((entry) => entry.review === review);
  return stored === undefined ? null : { total: stored.total, open: stored.open };
}

export function storeFixing(review: string, { total, open }: Fixing): void {
  const others = reviews.read().filter((entry) => entry.review !== review);
  reviews.store([{ review, total, open }, ...others].slice(0, reviewsMax));
}
