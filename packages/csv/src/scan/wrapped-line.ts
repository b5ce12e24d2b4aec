const lf = 10;
const cr = 13;

export type ClosingQuote = { closeAt: number; lineEnds: number };

export type WrappedCell = { from: number; to: number; isQuoted: boolean; isBad: boolean };

/** Finds the first undoubled quote in (open, stop), or null. A quote at `stop - 1` counts as undoubled. */
export function findClosingQuote(
  bytes: Uint8Array,
  open: number,
  stop: number,
  quote: number,
  crEndsLine: boolean,
): ClosingQuote | null {
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
 * Finds the cell at `at` in a quoted line that closes at `closeAt`. Null at an unquoted line break, because the line
 * is then a quoted cell of several lines. If `mayClose` is false, only a quote right after the opening one closes.
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
