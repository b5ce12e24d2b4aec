const primes: number[] = [];
for (let number = 2; primes.length < 64; number += 1) {
  if (primes.every((prime) => number % prime !== 0)) primes.push(number);
}
/** The first 32 bits of a number's fraction, by which FIPS 180-4 defines its constants. */
const fractionBits = (number: number) => ((number % 1) * 2 ** 32) | 0;
const constants = Int32Array.from(primes, (prime) => fractionBits(Math.cbrt(prime)));
const initial = primes.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));

const blockBytes = 64;
/** The padding ends with the length in 8 bytes. */
const lengthBytes = 8;

/**
 * SHA-256 of a file in pieces (FIPS 180-4). The browser's own needs the whole file in memory, and exists only on https
 * and localhost.
 */
export function sha256(): {
  push: (bytes: Uint8Array) => void;
  /** Ends the file. Call it once. */
  hex: () => string;
} {
  const state = Int32Array.from(initial);
  const words = new Int32Array(64);
  const pending = new Uint8Array(blockBytes);
  let pendingBytes = 0;
  let totalBytes = 0;
  const push = (bytes: Uint8Array) => {
    totalBytes += bytes.length;
    let at = 0;
    if (pendingBytes > 0) {
      at = Math.min(blockBytes - pendingBytes, bytes.length);
      pending.set(bytes.subarray(0, at), pendingBytes);
      pendingBytes += at;
      if (pendingBytes < blockBytes) return;
      addBlock(state, words, pending, 0);
    }
    for (; at + blockBytes <= bytes.length; at += blockBytes) addBlock(state, words, bytes, at);
    pending.set(bytes.subarray(at));
    pendingBytes = bytes.length - at;
  };
  return {
    push,
    hex() {
      const bits = BigInt(totalBytes) * 8n;
      const zeros = (2 * blockBytes - 1 - lengthBytes - pendingBytes) % blockBytes;
      const padding = new Uint8Array(1 + zeros + lengthBytes);
      padding[0] = 0x80;
      new DataView(padding.buffer).setBigUint64(1 + zeros, bits);
      push(padding);
      return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
    },
  };
}

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** Adds 64 bytes. Typed arrays are read as numbers: their indexes are within their lengths. */
function addBlock(state: Int32Array, words: Int32Array, bytes: Uint8Array, from: number): void {
  for (let at = 0; at < 16; at += 1) {
    const byte = from + 4 * at;
    words[at] =
      ((bytes[byte] as number) << 24) |
      ((bytes[byte + 1] as number) << 16) |
      ((bytes[byte + 2] as number) << 8) |
      (bytes[byte + 3] as number);
  }
  for (let at = 16; at < 64; at += 1) {
    const early = words[at - 15] as number;
    const late = words[at - 2] as number;
    const sigma0 = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const sigma1 = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[at] = ((words[at - 16] as number) + sigma0 + (words[at - 7] as number) + sigma1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    ...[number, number, number, number],
    ...[number, number, number, number],
  ];
  for (let at = 0; at < 64; at += 1) {
    const choice = (e & f) ^ (~e & g);
    const sum1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + sum1 + choice + (constants[at] as number) + (words[at] as number)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = ((state[at] as number) + word) | 0;
}
