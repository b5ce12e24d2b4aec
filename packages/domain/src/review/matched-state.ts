/** State of an import whose rows were found in another one while it waited to be pushed. */
export type MatchedState = 'waiting' | 'pushed' | 'ended';

/** 'spring.csv, which isn’t pushed yet', of one import. */
export const whichWords: Readonly<Record<MatchedState, string>> = {
  waiting: 'which isn’t pushed yet',
  pushed: 'which was pushed since',
  ended: 'which ended without a push',
};
