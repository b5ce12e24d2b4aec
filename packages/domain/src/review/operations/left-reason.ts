/** 'no-result': zero or negative. 'several-values': the product has the field once. 'yours': the operator's value. */
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

/** The first rows that are named for a reason. */
export const leftRowsMax = 3;
