import type { ShownImport } from '../../api/imports.ts';
import { countOf } from '../../lib/intl.ts';

type Queued = Pick<ShownImport, 'autoMode' | 'outcomes' | 'warningProducts' | 'errorProducts'>;

/** What an import waits for of which no product needs a fix. `toDecide`: products that wait for a decision. */
export function queuedWords(
  { autoMode, outcomes, warningProducts, errorProducts }: Queued,
  toDecide: number,
): string {
  if (autoMode === 'manual' && outcomes.created + outcomes.updated === 0) {
    return 'Waits for your review, as set for the watched folder.';
  }
  if (toDecide > 0) {
    return `Nothing left to fix. ${countOf(toDecide, 'product needs', 'products need')} your decision.`;
  }
  const leftOut = warningProducts + errorProducts;
  return leftOut > 0
    ? `Nothing left to fix: ${countOf(leftOut, 'product is', 'products are')} left out. Push when you’re ready.`
    : 'Review the rows, then push.';
}
