/** Whether Postgres can store a text: it accepts neither NUL nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The message for a text that cannot be stored. */
export const notStorable = 'The text contains characters that can’t be saved.';
