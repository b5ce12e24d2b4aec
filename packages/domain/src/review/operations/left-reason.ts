/**
 * Why cells were left as they are: no number to calculate with; a result that is no valid amount (zero, negative);
 * nothing to take; too long for the field; the value is not one that the field may have; changed since the preview.
 */
export const leftReasons = [
  'not-a-number',
  'no-result',
  'nothing-to-take',
  'too-long',
  'not-allowed',
  'being-sent',
  'changed-since',
] as const;
export type LeftReason = (typeof leftReasons)[number];
