/** Present state of another import with the same SKU or UPC. It was waiting for a push when it was matched. */
export type MatchedState = 'waiting' | 'pushed' | 'ended';

/** Clauses about an import: 'spring.csv, which isn’t pushed yet'. */
export const matchedStateClauses: Readonly<Record<MatchedState, string>> = {
  waiting: 'which isn’t pushed yet',
  pushed: 'which was pushed since',
  ended: 'which ended without a push',
};
