import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import { countOf } from '../../../lib/intl.ts';
import { countToDecide } from '../cells/auto-words.ts';
import type { ShownImport } from '../imports-api.ts';

type Queued = Pick<ShownImport, 'autoMode' | 'outcomes'>;

/** What an import waits for of which no product needs a fix. `facts`: those that are shown before its push. */
export function queuedWords({ autoMode, outcomes }: Queued, facts: BeforePush['facts']): string {
  if (autoMode === 'manual' && outcomes.created + outcomes.updated === 0) {
    return 'Waits for your review, as set for the watched folder.';
  }
  const toDecide = countToDecide(facts);
  if (toDecide > 0) {
    return `Nothing left to fix. ${countOf(toDecide, 'product needs', 'products need')} your decision.`;
  }
  const leftOut = facts.find(({ kind }) => kind === 'left-out');
  return leftOut === undefined
    ? 'Review the rows, then push.'
    : `Nothing left to fix: ${countOf(leftOut.count, `${leftOut.of} is`, `${leftOut.of}s are`)} left out. Push when you’re ready.`;
}
