/** 'no-result': zero or negative. 'several-values': for a field that the product has once. 'yours': the operator's. */
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
