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

/** Facts that end by themselves, perhaps a moment after they were shown: nobody has settled them. */
const endWords: Readonly<Record<string, string>> = {
  'taking-pictures': 'Reading pictures has ended.',
  'looking-up': 'Look-ups have ended.',
  'applying-rules': 'Applying your rules has ended.',
  'checking-guards': 'The guards have been checked.',
  'asking-ai': 'Asking AI has ended.',
};

/** The words in place of an import's facts once none is left. `lastKind`: the kind of the last fact. */
export const noFactsWords = (lastKind = ''): string => endWords[lastKind] ?? 'Nothing to know any more.';

/** A sentence that begins with a count of products. The count links to them. */
export type CountSentence = { count: string; rest: string };

/** What a push skips lacks. In a list of prices and stock, products need no title, but have to be known. */
const lacking = (isPartial: boolean) =>
  isPartial ? 'a known SKU or UPC or a valid price' : 'a title or a valid price';

/** '2 products are missing a title or a valid price and will be skipped.' */
export const skippedWords = (open: number, isPartial: boolean): CountSentence => ({
  count: countOf(open, 'product is', 'products are'),
  rest: ` missing ${lacking(isPartial)} and will be skipped.`,
});

/** '2 products need a title or a valid price.' */
export const toFixWords = (open: number, isPartial: boolean): CountSentence => ({
  count: countOf(open, 'product needs', 'products need'),
  rest: ` ${lacking(isPartial)}.`,
});
