/** Longest value of a field, in characters. */
export const valueCharsMax = 100_000;

/** Whether Postgres can store a text: it accepts neither NUL nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Returns a text that Postgres can store: U+FFFD replaces each NUL and each half of a surrogate pair. */
export function toStorableText(text: string): string {
  return isStorable(text) ? text : text.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** The message for a text that cannot be stored. */
export const notStorableMessage = 'The text contains characters that can’t be saved.';
