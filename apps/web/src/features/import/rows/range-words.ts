import { countOf, formatCount } from '../../../lib/intl.ts';

/** Filtered rows on the screen, and how many match the filter: of them, and in all (null: not counted). */
type ShownRange = { shown: number; stillMatch: number; matching: number | null };

/** '25 of 28 matching rows'. Rows that are shown although they have left the filter are counted apart. */
export function rangeWords({ shown, stillMatch, matching }: ShownRange): string {
  if (stillMatch < shown) {
    if (shown === 1) return '1 row, which no longer matches';
    return `${countOf(shown, 'row')}, ${formatCount(stillMatch)} of them still match`;
  }
  if (matching === null) return `${countOf(shown, 'matching row')} on this page`;
  return `${formatCount(shown)} of ${countOf(matching, 'matching row')}`;
}
