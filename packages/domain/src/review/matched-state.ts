/** The state of an import whose rows were found in another import while it waited for a push. */
export type MatchedState = 'waiting' | 'pushed' | 'ended';

/** Clauses about an import: 'spring.csv, which isn’t pushed yet'. */
export const matchedStateClauses: Readonly<Record<MatchedState, string>> = {
  waiting: 'which isn’t pushed yet',
  pushed: 'which was pushed since',
  ended: 'which ended without a push',
};
