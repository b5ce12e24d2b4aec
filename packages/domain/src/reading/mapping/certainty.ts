/** A column with this confidence or more is shown as certain. */
export const certainFrom = 0.9;
