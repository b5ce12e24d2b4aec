/** 'no-result': zero or negative. 'several-values': the product has the field once. 'yours': set by the operator. */
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
