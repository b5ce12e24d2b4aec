/** Returns the pattern of LIKE and ILIKE for values that contain a text, whose `%`, `_` and `\` are literal. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
