import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import type { Task } from '@draftshelf/contract/imports/imports';
import { countOf, formatCount } from '../../../lib/intl.ts';
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

/** One line about background work: what it is, how far it is, or why it does not go on. */
export function taskWords({ label, state, done, total, waitingFor, error }: Task): string {
  if (state === 'failed') return `${label} failed: ${error ?? 'unknown cause'}`;
  if (waitingFor !== null) return `${label}: ${waitingFor}`;
  if (total === null) return `${label}: ${formatCount(done)} so far`;
  return `${label}: ${formatCount(done)} of ${countOf(total, 'row')}`;
}

/** Facts that end by themselves, perhaps a moment after they were shown: nobody has settled them. */
const endWords: Readonly<Record<string, string>> = {
  'looking-up': 'Look-ups have ended.',
  'applying-rules': 'Applying your rules has ended.',
  'asking-ai': 'Asking AI has ended.',
};

/** What stands in the place of the facts of an import once there are none; `lastKind` was the last one. */
export const noFactsWords = (lastKind = ''): string => endWords[lastKind] ?? 'Nothing to know any more.';

/** A sentence that begins with a count of products, which is a link to them. */
export type CountSentence = { count: string; rest: string };

/** '2 products are missing a title or a valid price and will be skipped.' */
export const skippedWords = (open: number): CountSentence => ({
  count: countOf(open, 'product is', 'products are'),
  rest: ' missing a title or a valid price and will be skipped.',
});

/** '2 products need a title or a valid price.' */
export const toFixWords = (open: number): CountSentence => ({
  count: countOf(open, 'product needs', 'products need'),
  rest: ' a title or a valid price.',
});
