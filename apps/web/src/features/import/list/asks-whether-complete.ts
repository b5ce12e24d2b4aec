import type { List } from '@draftshelf/contract/imports/list';

/** Whether it is asked if the supplier sends complete lists: once, about the first list that lacks something. */
export const asksWhetherComplete = ({ counts, answers, isWhole, isPartial, cutOff }: List): boolean =>
  !isPartial &&
  isWhole === null &&
  cutOff?.isWhole !== null &&
  answers?.sendsComplete === null &&
  (counts?.missing ?? 0) > 0;
