import type { CanonicalField } from '../base/canonical-fields.ts';
import type { ColumnEvidence } from './mapping/column-evidence.ts';
import { priceBars, priceCounter } from './price-counts.ts';

/** What the first rows hold of a column. The shares are 0 to 1. */
export type ColumnProfile = {
  /** The number of rows that were read. */
  rows: number;
  /** Share of the rows with a value. */
  filled: number;
  /** Share of the values that are amounts. */
  numeric: number;
  /** Share of different values among the values. */
  distinct: number;
  /** The heights of a histogram of its amounts on a log scale; null if it is not mapped to a field of amounts. */
  amounts: number[] | null;
};

const amountFields: readonly (CanonicalField | null)[] = ['price', 'compareAtPrice', 'cost'];
const amountBarsMax = 12;

/** The profile of a column that is mapped to a field, or to none. */
export function columnProfile(
  field: CanonicalField | null,
  { rows, fill, money, distinct, amounts }: ColumnEvidence,
): ColumnProfile {
  const counter = priceCounter();
  for (const amount of amounts) if (amount !== null) counter.add(amount);
  const bars = priceBars(counter.counts(), amountBarsMax);
  return {
    rows,
    filled: round(fill),
    numeric: round(money),
    distinct: round(distinct),
    amounts: amountFields.includes(field) ? bars.map(({ count }) => count) : null,
  };
}

const round = (share: number): number => Math.round(share * 100) / 100;
