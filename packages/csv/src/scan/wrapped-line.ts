const lf = 10;
const cr = 13;

/** Where a line that stands in quotes as a whole is closed, and the line ends before that. */
export type Wrapping = { closeAt: number; lineEnds: number };

/** A cell of such a line: its bytes, and whether it stood in (doubled) quotes. */
export type WrappedCell = { from: number; to: number; isQuoted: boolean; isBad: boolean };

/**
 * Finds the first quote behind `open` that is not doubled. `stop`: where it is looked for no more. Null for none; it may
 * be at `stop - 1`, where the next byte could double it.
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
 * Finds the cell that begins at `at` in a wrapped line that is closed at `closeAt`; every quote in it is doubled. Null
 * where a line end stands outside of quotes: then this was a single cell of several lines. `mayClose`: false behind a
 * cell of the line that opened with a quote and found none to close it: nor does one behind it, unless at once.
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
