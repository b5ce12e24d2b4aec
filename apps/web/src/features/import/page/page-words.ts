import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import type { Task } from '@draftshelf/contract/imports/imports';
import { countOf, formatCount } from '../../../lib/intl.ts';
import type { ShownImport } from '../imports-api.ts';
import { countToDecide } from '../status/auto-words.ts';

type Queued = Pick<ShownImport, 'autoMode' | 'outcomes'>;

/** The next step of an import without a product to fix. `facts`: the facts before its push. */
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

/** One line about a task: its progress, what it waits for, or why it failed. */
export function taskWords({ label, state, done, total, waitingFor, error }: Task): string {
  if (state === 'failed') return `${label} failed: ${error ?? 'unknown cause'}`;
  if (waitingFor !== null) return `${label}: ${waitingFor}`;
  if (total === null) return `${label}: ${formatCount(done)} so far`;
  return `${label}: ${formatCount(done)} of ${countOf(total, 'row')}`;
}

/** '37 products', or '37 products (211 rows)' where the filters below count something else. */
export function productsWords({
  totalProducts,
  totalRows,
}: Pick<ShownImport, 'totalProducts' | 'totalRows'>): string {
  const products = countOf(totalProducts, 'product');
  return totalProducts === totalRows ? products : `${products} (${countOf(totalRows, 'row')})`;
}

/** What a push sends, as long as no plan says more. */
export function readyWords(
  record: Pick<ShownImport, 'status' | 'totalProducts' | 'createdProducts'>,
  beforePush: BeforePush | null,
): string {
  if (record.status !== 'processed' || beforePush === null) return '';
  const { scope, open } = beforePush;
  return scope === null && record.createdProducts > 0
    ? 'A push sends only what has changed since the last one.'
    : `${countOf(scope?.sent ?? record.totalProducts - open, 'product is', 'products are')} ready to push.`;
}
