/** With more deletions, their number has to be typed. */
export const deletionsUnasked = 1_000;
/** The same, of products that are deleted only because the operator chose it. */
export const deletedAnywayUnasked = 10;
