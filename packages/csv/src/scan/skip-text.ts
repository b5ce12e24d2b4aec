const ones = 0x01010101;
const highs = 0x80808080 | 0;
const lineFeeds = repeatByte(10);
/** The first UTF-8 byte of the control characters from U+0080 to U+009F, and of some letters and symbols. */
export const controlLeadByte = 0xc2;
const controlLeads = repeatByte(controlLeadByte);

export type SkippedText = {
  /** Bytes by which UTF-8 is longer than UTF-16 units. */
  utf8ExtraBytes: number;
  mayHoldControls: boolean;
};

/** Fills a 32-bit word with a byte. */
export function repeatByte(byte: number): number {
  return Math.imul(byte, ones);
}

/**
 * Skips ASCII, four bytes (a word) at a time, up to a delimiter, an LF or `wordsTo` (three bytes before the end).
 * Returns the offset. `word ^ delimiters` has a 0 byte where the word has a delimiter. Subtracting 1 from each byte
 * sets the highest bit of the lowest 0 byte. Borrows may set wrong bits, but only above the lowest 0 byte.
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

/** Skips like `skipText`, but does not stop at non-ASCII bytes. Adds their extra bytes to `skipped`. */
export function skipUnicodeText(
  view: DataView,
  from: number,
  wordsTo: number,
  delimiters: number,
  skipped: SkippedText,
): number {
  let extraBytes = 0;
  let at = from;
  for (; at < wordsTo; at += 4) {
    const word = view.getInt32(at, true);
    const delimited = word ^ delimiters;
    const ended = word ^ lineFeeds;
    const found = (((delimited - ones) & ~delimited) | ((ended - ones) & ~ended)) & highs;
    const text = found === 0 ? word : word & ((found & -found) - 1);
    // Extra bytes are UTF-8 bytes minus UTF-16 units: 1 per continuation byte, -1 per four-byte character.
    const continuations = text & ~(text << 1) & highs;
    const leadsFour = text & (text << 1) & (text << 2) & (text << 3) & highs;
    extraBytes += markedBytes(continuations) - markedBytes(leadsFour);
    const leads = text ^ controlLeads;
    if (((leads - ones) & ~leads & highs) !== 0) skipped.mayHoldControls = true;
    if (found !== 0) {
      at += (31 - Math.clz32(found & -found)) >> 3;
      break;
    }
  }
  skipped.utf8ExtraBytes += extraBytes;
  return at;
}

const markedBytes = (marks: number) => Math.imul(marks >>> 7, ones) >>> 24;
