import type {
  BulkDecision,
  Further,
  UndecidedReason,
} from '@draftshelf/core/review/proposals/decide-proposals';
import { grouped } from '../http/grouped.ts';

const are = (count: number, one: string, many: string) => `${grouped(count)} ${count === 1 ? one : many}`;

const words: Record<UndecidedReason, (count: number) => string> = {
  changed: (count) => `${grouped(count)} had changed meanwhile`,
  'being sent': (count) => `${are(count, 'is', 'are')} being pushed right now`,
  gone: (count) => `${are(count, 'belongs', 'belong')} to rows that are gone`,
  ignored: (count) => `${are(count, 'belongs', 'belong')} to ignored rows`,
  decided: (count) => `${grouped(count)} had been decided already`,
  several: (count) =>
    are(count, 'is one of several values for its field', 'are among several values for the same fields'),
  'not editable now': (count) => `${grouped(count)} can’t be edited in the import’s current status`,
};

/**
 * '47 values were accepted, 3 had changed meanwhile.' `further`: proposals that match the filter beyond the limit of
 * one decision.
 */
export function decidedSentence(
  action: 'take' | 'dismiss',
  { decided, left, stopped }: Pick<BulkDecision, 'decided' | 'left' | 'stopped'>,
  further: Further,
): string {
  const [one, many] =
    action === 'take'
      ? ['value was accepted', 'values were accepted']
      : ['proposal was dismissed', 'proposals were dismissed'];
  const first = decided === 0 ? `No ${one}` : are(decided, one, many);
  const rest = [...Map.groupBy(left, ({ reason }) => reason)].map(([reason, { length }]) =>
    words[reason](length),
  );
  const after = stopped === null ? furtherWords(further) : stoppedWords(stopped.open);
  return `${[first, ...rest].join(', ')}.${after}`;
}

function furtherWords({ more, isAtLeast }: Further): string {
  if (more === 0) return '';
  const match = `${isAtLeast ? 'At least ' : ''}${are(more, 'more matches', 'more match')}`;
  return ` ${match}; repeat this to decide ${more === 1 ? 'it' : 'them'} too.`;
}

const stoppedWords = (open: number): string =>
  ` Then an error stopped this; ${are(open, 'more proposal is', 'more proposals are')} still open. Try again in a moment.`;

/** The refusal of a decision about all that match a filter, because their number is not the one that was shown. */
export const otherCountSentence = (count: number, shown: number): string =>
  `There ${count === 1 ? 'is 1 proposal' : `are ${grouped(count)} proposals`} now, but ${are(
    shown,
    'was',
    'were',
  )} shown. Nothing was decided. Look at the list again.`;
