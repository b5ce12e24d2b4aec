import type { BulkDecision, LeftReason } from '@draftshelf/imports/proposals/decide-proposals';

const words: Record<LeftReason, (count: number) => string> = {
  changed: (count) => `${count} had changed meanwhile`,
  'being sent': (count) => `${count} ${count === 1 ? 'is' : 'are'} being pushed right now`,
  gone: (count) => `${count} ${count === 1 ? 'belongs' : 'belong'} to rows that are gone`,
  ignored: (count) => `${count} ${count === 1 ? 'belongs' : 'belong'} to ignored rows`,
  decided: (count) => `${count} had been decided already`,
  several: (count) => `${count} ${count === 1 ? 'is' : 'are'} one of several values for a field`,
  'not editable now': (count) => `${count} can’t be edited in the import’s current status`,
};

/** '47 values were taken, 3 had changed meanwhile.' `more`: proposals that match the filter beyond the limit. */
export function decidedSentence(
  action: 'take' | 'dismiss',
  { decided, left }: Pick<BulkDecision, 'decided' | 'left'>,
  more: number,
): string {
  const [one, many] =
    action === 'take'
      ? ['value was taken', 'values were taken']
      : ['proposal was dismissed', 'proposals were dismissed'];
  const first = decided === 0 ? `No ${one}` : `${decided} ${decided === 1 ? one : many}`;
  const rest = [...Map.groupBy(left, ({ reason }) => reason)].map(([reason, { length }]) =>
    words[reason](length),
  );
  const further = more === 0 ? '' : ` ${more} more match; repeat this to decide them too.`;
  return `${[first, ...rest].join(', ')}.${further}`;
}
