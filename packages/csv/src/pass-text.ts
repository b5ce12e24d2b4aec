const ones = 0x01010101;
const highs = 0x80808080 | 0;
const lineFeeds = repeatedByte(10);

/** A word of four such bytes. */
export function repeatedByte(byte: number): number {
  return Math.imul(byte, ones);
}

/**
 * Passes four bytes at a time from `from` on, as long as all are ASCII and none is a delimiter or LF. Returns where the
 * first stands that is not so, or the first word that does not begin before `wordsTo`. Never throws where `wordsTo` is
 * at least three bytes before the end.
 *
 * A byte of `word ^ delimiters` is 0 where there is a delimiter. Taking 1 from each byte sets the highest bit of the
 * lowest one that was 0; bits set wrongly, by what that one borrows, stand above it.
 */
export function passText(view: DataView, from: number, wordsTo: number, delimiters: number): number {
  let at = from;
  for (; at < wordsTo; at += 4) {
    const word = view.getInt32(at, true);
    const delimited = word ^ delimiters;
    const ended = word ^ lineFeeds;
    const found = (((delimited - ones) & ~delimited) | ((ended - ones) & ~ended) | word) & highs;
    if (found !== 0) return at + ((31 - Math.clz32(found & -found)) >> 3);
  }
  return at;
}
