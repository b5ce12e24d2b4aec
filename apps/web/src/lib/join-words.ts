/** Leaves out empty parts. */
export const joinWords = (parts: readonly string[], separator = ' · '): string =>
  parts.filter((part) => part !== '').join(separator);
