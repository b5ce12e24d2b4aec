import { countOf, formatCount } from '../../../lib/intl.ts';

type RowsRange = {
  /** The rows on the screen. */
  onPage: number;
  /** How many rows on the screen still match the filter. */
  stillMatch: number;
  /** How many rows match the filter in all; null: not counted. */
  matching: number | null;
};

/** '25 of 28 matching rows'. Rows that are shown although they have left the filter are counted apart. */
export function rangeWords({ onPage, stillMatch, matching }: RowsRange): string {
  if (stillMatch < onPage) {
    if (onPage === 1) return '1 row, which no longer matches';
    const matches = stillMatch === 1 ? 'matches' : 'match';
    return `${formatCount(stillMatch)} of these ${countOf(onPage, 'row')} still ${matches}`;
  }
  if (matching === null) return `${countOf(onPage, 'matching row')} on this page`;
  return `${formatCount(onPage)} of ${countOf(matching, 'matching row')}`;
}
