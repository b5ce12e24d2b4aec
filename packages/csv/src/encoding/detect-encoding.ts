import { detectLegacyEncoding } from './detect-legacy.ts';
import type { Encoding, TranscribedEncoding } from './encodings.ts';

/** Detects the encoding by byte order mark, NULs or valid UTF-8, else by the most text-like decoding. Never throws. */
export function detectEncoding(
  head: Uint8Array,
  complete: boolean,
): { encoding: Encoding; markBytes: number } {
  const marked = marks.find(([mark]) => mark.every((byte, at) => head[at] === byte));
  if (marked) return { encoding: marked[1], markBytes: marked[0].length };
  const utf16 = utf16Of(head);
  if (utf16 !== null) return { encoding: utf16, markBytes: 0 };
  return { encoding: detectUnmarkedEncoding(head, complete), markBytes: 0 };
}

/** Detects the encoding from bytes without a byte order mark: a file's head, or its first non-ASCII bytes. */
export function detectUnmarkedEncoding(bytes: Uint8Array, complete: boolean): Encoding {
  const { valid, invalid } = countUtf8(bytes, complete);
  // If a file is otherwise UTF-8, a few invalid bytes are issues of its rows, not another encoding.
  if (invalid === 0 || valid > invalid * 3) return 'utf-8';
  return detectLegacyEncoding(bytes, complete);
}

/** Returns the index of the first byte that is not ASCII, or -1. Files are large, so it reads four bytes at a time. */
export function indexOfNonAscii(bytes: Uint8Array): number {
  const lead = Math.min((4 - (bytes.byteOffset & 3)) & 3, bytes.length);
  for (let at = 0; at < lead; at += 1) if ((bytes[at] as number) > 0x7f) return at;
  // An Int32Array must begin at a multiple of four bytes, even if it is empty.
  if (lead === bytes.length) return -1;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + lead, (bytes.length - lead) >> 2);
  let word = 0;
  while (word < words.length && ((words[word] as number) & 0x80808080) === 0) word += 1;
  for (let at = lead + word * 4; at < bytes.length; at += 1) if ((bytes[at] as number) > 0x7f) return at;
  return -1;
}

const marks: readonly [readonly number[], Encoding][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  // UTF-32 comes before UTF-16, because the mark of UTF-16 is a prefix of the mark of UTF-32.
  [[0xff, 0xfe, 0, 0], 'utf-32le'],
  [[0, 0, 0xfe, 0xff], 'utf-32be'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0x84, 0x31, 0x95, 0x33], 'gb18030'],
];

/** Detects UTF-16 by the NUL byte of ASCII characters. In the wrong byte order, few characters look like ASCII. */
function utf16Of(head: Uint8Array): TranscribedEncoding | null {
  const pairs = head.length >> 1;
  let little = 0;
  let big = 0;
  for (let at = 0; at < pairs * 2; at += 2) {
    const first = head[at] as number;
    const second = head[at + 1] as number;
    if (second === 0 && isAsciiText(first)) little += 1;
    if (first === 0 && isAsciiText(second)) big += 1;
  }
  const wanted = Math.max(1, pairs / 50);
  if (little >= wanted && big * 5 <= little) return holdsLineEnds(head, 0, pairs) ? 'utf-16le' : null;
  if (big >= wanted && little * 5 <= big) return holdsLineEnds(head, 1, pairs) ? 'utf-16be' : null;
  return null;
}

const isAsciiText = (byte: number) =>
  (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13;

// Whether UTF-16 text has a line break, or, if it is a single line, whether most of its characters are ASCII.
function holdsLineEnds(head: Uint8Array, half: 0 | 1, pairs: number): boolean {
  let asciiPairs = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    const byte = head[pair * 2 + half] as number;
    if (head[pair * 2 + 1 - half] !== 0) continue;
    if (byte === 10 || byte === 13) return true;
    if (byte >= 0x20 && byte < 0x7f) asciiPairs += 1;
  }
  return asciiPairs * 2 > pairs;
}

/** Counts valid and invalid characters. An incomplete character at the end of the bytes is neither. */
function countUtf8(bytes: Uint8Array, complete: boolean): { valid: number; invalid: number } {
  let valid = 0;
  let invalid = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x80) continue;
    const following = byte >= 0xf0 && byte < 0xf5 ? 3 : byte >= 0xe0 ? 2 : 1;
    let found = 0;
    while (found < following && ((bytes[at + 1 + found] as number) & 0xc0) === 0x80) found += 1;
    if (byte < 0xc2 || byte > 0xf4) invalid += 1;
    else if (found === following) {
      valid += 1;
      at += following;
    } else if (complete || at + 1 + found < bytes.length) invalid += 1;
  }
  return { valid, invalid };
}
