/** A column with this confidence or more is shown as certain. */
export const certainConfidenceMin = 0.9;
