const lengthMax = 160;

/** What differs between two errors with one cause: ids, what is quoted, and numbers. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, '#'],
  [/“[^”]{0,80}”|"[^"]{0,80}"|'[^']{0,80}'|`[^`]{0,80}`/g, '…'],
  [/\d+(?:[.,:]\d+)*/g, '#'],
];

/**
 * The code of a cause, by which failures of many imports are found that have it in common: the name and code of the
 * error, else its message without what varies. At most 160 characters.
 */
export function causeCode(error: unknown): string {
  const { name = '', message = String(error), code } = error instanceof Error ? (error as ErrorWithCode) : {};
  const text = typeof code === 'string' && code !== '' ? `${name} ${code}` : withoutVarying(message);
  return text.slice(0, lengthMax);
}

type ErrorWithCode = Error & { code?: unknown };

const withoutVarying = (message: string): string =>
  varying.reduce((text, [part, by]) => text.replaceAll(part, by), message);
