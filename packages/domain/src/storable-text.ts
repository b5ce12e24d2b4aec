/** Whether a text can be stored as it is: Postgres holds neither NUL nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** What is said of a text that is not storable. */
export const notStorable = 'The text holds characters that cannot be stored.';
