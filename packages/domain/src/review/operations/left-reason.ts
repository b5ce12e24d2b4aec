/**
 * Why cells were left as they are: no number to calculate with; a result that is no valid amount (zero, negative);
 * nothing to take; too long for the field; the value is not one that the field may have; several values for a field
 * that a product has once; changed since the preview; the operator's own, by an edit of this list or one that was
 * carried into it.
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

/** Rows that are named of the cells that were left for a reason: the first ones. */
export const leftRowsMax = 3;
