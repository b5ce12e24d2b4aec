import type { RowFacets } from '@draftshelf/contract/review/rows';
import { useEffect, useState } from 'react';
import { sessionList } from '../../../lib/session-list.ts';
import { hasShape, isNumber, isText } from '../../../lib/shape.ts';

/** Rows that need the operator: how many the review has seen, and how many of them are still open. */
export type Fixing = { total: number; open: number };

/** After the next count of open rows: one that is open again is not fixed any more. */
export function nextFixing(known: Fixing | null, open: number): Fixing {
  if (known?.open === open) return known;
  return { total: Math.max(known?.total ?? 0, open), open };
}

/** '2 of 3 done': fixed, or left out of the push. */
export function doneWords({ total, open }: Fixing, format: (count: number) => string): string {
  return `${format(total - open)} of ${format(total)} done`;
}

/**
 * How far the rows that need the operator are fixed since this tab first showed them; `review` names the import and its
 * stage. `isLoading`: the counts may be those of an earlier time.
 */
export function useFixing(review: string, { needsYou: open }: RowFacets, isLoading: boolean): Fixing {
  const [known, setKnown] = useState(() => ({ review, fixing: keptFixing(review) }));
  const before = known.review === review ? known.fixing : keptFixing(review);
  const fixing = before !== null && isLoading ? before : nextFixing(before, open);
  if (known.review !== review || known.fixing !== fixing) setKnown({ review, fixing });
  useEffect(() => keepFixing(review, fixing), [review, fixing]);
  return fixing;
}

const isKept = hasShape<Fixing & { review: string }>({ review: isText, total: isNumber, open: isNumber });
const keptMax = 50;
const kept = sessionList('draftshelf-reviews', isKept);

/** What is kept of a review while another page is shown; null: nothing. */
export function keptFixing(review: string): Fixing | null {
  const found = kept.read().find((one) => one.review === review);
  return found === undefined ? null : { total: found.total, open: found.open };
}

export function keepFixing(review: string, { total, open }: Fixing): void {
  const others = kept.read().filter((one) => one.review !== review);
  kept.store([{ review, total, open }, ...others].slice(0, keptMax));
}
