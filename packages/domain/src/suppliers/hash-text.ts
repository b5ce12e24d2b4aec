// FNV-1a with 32 bits over UTF-8 bytes (http://www.isthe.com/chongo/tech/comp/fnv/), with the finalizer of
// MurmurHash3. Without the finalizer, hashes of texts with different last characters differ by a multiple of the
// prime, so that their sums could be equal.

const start = 0x811c9dc5;
const withByte = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);

function ended(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
}

const encoder = new TextEncoder();
const utf8BytesPerCharMax = 3;
const scratch = new Uint8Array(16 * 1024);

/** Returns a hash of a text from 0 to 2³² - 1, and 0 for ''. Different seeds give different hashes. */
export function hashText(text: string, seed = start): number {
  if (text === '') return 0;
  const { bytes, length } = encoded(text);
  let hash = seed;
  for (let at = 0; at < length; at += 1) hash = withByte(hash, bytes[at] ?? 0);
  return ended(hash);
}

function encoded(text: string): { bytes: Uint8Array; length: number } {
  if (text.length * utf8BytesPerCharMax <= scratch.length) {
    return { bytes: scratch, length: encoder.encodeInto(text, scratch).written };
  }
  const bytes = encoder.encode(text);
  return { bytes, length: bytes.length };
}

/** Returns a hash of a text's ASCII letters and digits in lower case, or 0 if the text has no such characters. */
export const hashLetters = (text: string): number =>
  // NFC combines a letter and its accent into one character, which is removed like other non-ASCII letters.
  hashText(
    text
      .normalize('NFC')
      .replace(/[^a-zA-Z0-9]+/g, '')
      .toLowerCase(),
  );
