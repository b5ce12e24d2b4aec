import type { Difference, ShownChanges } from '@draftshelf/domain/push/push-plan';
import { isPriceOfVariant } from '@draftshelf/shopify/product/variant-names';

const shownMax = 3;
/** Longer values are read with the product's differences only. */
const shownCharsMax = 160;

/** Returns the differences that a line shows: prices first, the largest change leading. */
export function shownChanges(differences: readonly Difference[]): ShownChanges | undefined {
  if (differences.length === 0) return undefined;
  const shown = differences.toSorted((a, b) => priceSize(b) - priceSize(a)).slice(0, shownMax);
  return { shown: shown.map(shortened), more: differences.length - shown.length };
}

function shortened(difference: Difference): Difference {
  const { store, push } = difference;
  const isLong = Math.max(store?.length ?? 0, push?.length ?? 0) > shownCharsMax;
  return isLong ? { ...difference, store: null, push: null } : difference;
}

/**
 * Returns the place of a changed product among the lines of its plan, the lower the larger the change: changes of a
 * price come first, by their factor, then changes of other values, by their number.
 */
export const changeRank = (differences: readonly Difference[]): number =>
  sizeMax - Math.max(Math.min(differences.length, factorUnit - 1), ...differences.map(priceSize));

/** Products that do not change come after the others: created ones, skipped ones, and those that stay as they are. */
export const unchangedRank = (outcome: string): number => sizeMax + 1 + staying.indexOf(outcome);

const staying: readonly string[] = ['created', 'skipped', 'unchanged'];

const sizeMax = 1_000_000;
/** Any factor of a price is larger than any number of values. */
const factorUnit = 1000;

/** The factor by which a price changes, in thousandths; 0 for other values, and for a price without both sides. */
function priceSize({ part, name, store, push }: Difference): number {
  if (part !== 'variants' || !isPriceOfVariant(name) || store === null || push === null) return 0;
  const [low = 0, high = 0] = [Number(store), Number(push)].sort((a, b) => a - b);
  return low > 0 ? Math.min(sizeMax, Math.round((factorUnit * high) / low)) : sizeMax;
}
