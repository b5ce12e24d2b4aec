const ones = 0x01010101;
const highs = 0x80808080 | 0;
const lineFeeds = repeatedByte(10);
/** UTF-8 begins the control characters from U+0080 to U+009F with it, and some letters and signs. */
export const leadsControl = 0xc2;
const controlLeads = repeatedByte(leadsControl);

/** What is known of text that was passed, if it is UTF-8. */
export type PassedText = {
  /** By how many bytes it is longer than in UTF-16. */
  surplus: number;
  /** It has a byte that leads a control character, or stands beside one. */
  mayHoldControls: boolean;
};

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
export function skipText(view: DataView, from: number, wordsTo: number, delimiters: number): number {
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

/** As `skipText`, and passes what is not ASCII too: what that comes to is added to `passed`. */
export function passAnyText(
  view: DataView,
  from: number,
  wordsTo: number,
  delimiters: number,
  passed: PassedText,
): number {
  let surplus = 0;
  let at = from;
  for (; at < wordsTo; at += 4) {
    const word = view.getInt32(at, true);
    const delimited = word ^ delimiters;
    const ended = word ^ lineFeeds;
    const found = (((delimited - ones) & ~delimited) | ((ended - ones) & ~ended)) & highs;
    const text = found === 0 ? word : word & ((found & -found) - 1);
    // Each byte within a character is one more than UTF-16 has; four bytes are two of its units, one less than so.
    const within = text & ~(text << 1) & highs;
    const leadsFour = text & (text << 1) & (text << 2) & (text << 3) & highs;
    surplus += bytesMarked(within) - bytesMarked(leadsFour);
    const leads = text ^ controlLeads;
    if (((leads - ones) & ~leads & highs) !== 0) passed.mayHoldControls = true;
    if (found !== 0) {
      at += (31 - Math.clz32(found & -found)) >> 3;
      break;
    }
  }
  passed.surplus += surplus;
  return at;
}

/** Of marks in the highest bits of bytes. */
const bytesMarked = (marks: number) => Math.imul(marks >>> 7, ones) >>> 24;
