/**
 * 'no-result': no valid amount (zero, negative). 'several-values': for a field that a product has once. 'yours': the
 * operator's own value, set in this list or carried into it.
 */
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
