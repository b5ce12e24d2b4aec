/** Returns a LIKE pattern for values that contain a text. `%`, `_` and `\` in the text are literal. */
export const toLikePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
