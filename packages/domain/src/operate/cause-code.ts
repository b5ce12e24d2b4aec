const lengthMax = 160;

/** Varying parts of messages with the same cause: ids, quoted texts and numbers. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, '#'],
  [/“[^”]{0,80}”|"[^"]{0,80}"|'[^']{0,80}'|`[^`]{0,80}`/g, '…'],
  [/\d+(?:[.,:]\d+)*/g, '#'],
];

/** Returns the code of a failure: its message without varying parts, at most 160 characters. */
export const toCauseCode = (message: string): string =>
  varying.reduce((text, [part, by]) => text.replaceAll(part, by), message).slice(0, lengthMax);
