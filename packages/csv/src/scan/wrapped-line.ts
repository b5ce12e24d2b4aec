const lf = 10;
const cr = 13;

/** The offset of the quote that closes a wrapped line, and the number of line breaks before it. */
export type Wrapping = { closeAt: number; lineEnds: number };

/** A cell of a wrapped line: its bytes, whether it was in (doubled) quotes, whether its quotes do not match. */
export type WrappedCell = { from: number; to: number; isQuoted: boolean; isBad: boolean };

/**
 * Finds the first quote after `open` and before `stop` that is not doubled; null if there is none. It may be at
 * `stop - 1`, where the byte after `stop` could still double it.
 */
export function findWrapping(
  bytes: Uint8Array,
  open: number,
  stop: number,
  quote: number,
  crEndsLine: boolean,
): Wrapping | null {
  let lineEnds = 0;
  for (let at = open + 1; at < stop; at += 1) {
    const byte = bytes[at] as number;
    if (byte === lf || (byte === cr && crEndsLine && bytes[at + 1] !== lf)) lineEnds += 1;
    if (byte !== quote) continue;
    if (at + 1 === stop || bytes[at + 1] !== quote) return { closeAt: at, lineEnds };
    at += 1;
  }
  return null;
}

/**
 * Finds the cell that begins at `at` in a wrapped line, whose quotes are all doubled and which closes at `closeAt`.
 * Null if there is a line break outside of quotes: then this is a single cell of several lines. `mayClose`: false after
 * a cell of the line that opened with a quote and found none to close it; later quotes then close only if they follow
 * at once.
 */
export function findWrappedCell(
  bytes: Uint8Array,
  at: number,
  closeAt: number,
  delimiter: number,
  quote: number,
  mayClose: boolean,
): WrappedCell | null {
  let isBad = false;
  if (bytes[at] === quote && at < closeAt) {
    for (let end = at + 2; end < closeAt; end += 1) {
      if (bytes[end] !== quote) {
        if (mayClose) continue;
        break;
      }
      const next = bytes[end + 2];
      if (end + 2 === closeAt || next === delimiter) {
        return { from: at + 2, to: end, isQuoted: true, isBad };
      }
      if (next === quote) end += 3;
      else {
        isBad = true;
        end += 1;
      }
    }
    isBad = true;
  }
  let to = at;
  for (; to < closeAt && bytes[to] !== delimiter; to += 1) if (bytes[to] === lf) return null;
  return { from: at, to, isQuoted: false, isBad };
}
