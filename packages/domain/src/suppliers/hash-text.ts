// FNV-1a with 32 bits over the bytes of UTF-8 (http://www.isthe.com/chongo/tech/comp/fnv/), with the finalizer of
// MurmurHash3: without it, texts that differ in their last characters have hashes that differ by a multiple of the
// prime, and sums of hashes cancel each other out.

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

/** Hashes a text to 0 … 2³² - 1; 0 for ''. `seed`: texts have other hashes with another one. */
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

/** Up to this length it takes longer to encode a text than to read its characters one by one. */
const shortCharsMax = 24;
const space = 0x20;
const asciiMax = 0x7e;
/** UTF-8 lead bytes of the characters from U+00C0 to U+02FF, and the last byte that may follow. */
const [leadMin, leadMax, followMax] = [0xc3, 0xcb, 0xbf];

/** Returns `hashText` of plain NFC text, else null. It reads every character, so it uses no regular expression. */
export function hashPlain(text: string, seed: number): number | null {
  if (text.length <= shortCharsMax) {
    const hash = hashAscii(text, seed);
    if (hash !== null) return hash;
  }
  const { bytes, length } = encoded(text);
  let hash = seed;
  let before = space;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] ?? 0;
    const isPlain =
      (byte > space && byte <= followMax) ||
      (byte === space && before !== space) ||
      (byte >= leadMin && byte <= leadMax);
    if (!isPlain) return null;
    hash = withByte(hash, byte);
    before = byte;
  }
  return before === space ? null : ended(hash);
}

function hashAscii(text: string, seed: number): number | null {
  let hash = seed;
  let before = space;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code <= space && (code !== space || before === space)) || code > asciiMax) return null;
    hash = withByte(hash, code);
    before = code;
  }
  return before === space ? null : ended(hash);
}

const [digit0, digit9, upperA, upperZ, lowerA, lowerZ] = [48, 57, 65, 90, 97, 122];

/** Hashes the ASCII letters and digits of a text, ignoring case; 0 if it has none. */
export function hashLetters(text: string): number {
  let { bytes, length } = encoded(text);
  // Not only ASCII: a letter with its accent must be one character.
  if (length > text.length) ({ bytes, length } = encoded(text.normalize('NFC')));
  let hash = start;
  let letters = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] ?? 0;
    const lower = byte >= upperA && byte <= upperZ ? byte + lowerA - upperA : byte;
    if (!((lower >= lowerA && lower <= lowerZ) || (lower >= digit0 && lower <= digit9))) continue;
    letters += 1;
    hash = withByte(hash, lower);
  }
  return letters === 0 ? 0 : ended(hash);
}
