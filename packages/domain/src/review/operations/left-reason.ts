/** Reasons to leave a cell. 'no-result': 0 or less. 'several-values': one is allowed. 'yours': the operator set it. */
export const leftReasons = [
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
export type LeftReason = (typeof leftReasons)[number];

/** Limit for the rows that are listed per reason. */
export const leftRowsMax = 3;
