/** Reasons to leave a cell unchanged. 'no-result': 0 or less. 'several-values': only one fits. 'yours': set by hand. */
export const unchangedReasons = [
  'not-a-number',
  'no-result',
  'nothing-to-take',
  'too-long',
  'not-allowed',
  'several-values',
  'being-sent',
  'changed-since',
  'yours',
] as const;
export type UnchangedReason = (typeof unchangedReasons)[number];

/** Limit for the rows that are listed per reason. */
export const unchangedRowsMax = 3;
