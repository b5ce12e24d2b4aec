const hashBytes = 20;
const hashBits = hashBytes * 8;
const shiftBits = 11;
const lengthBytes = 8;

/**
 * QuickXorHash of OneDrive: each byte is XORed into 160 bits, 11 bits further than the byte before it, and the length
 * into the last 64 of them (learn.microsoft.com/onedrive/developer/code-snippets/quickxorhash). It finds errors of a
 * transfer; it protects against nobody.
 */
export function createQuickXorHash(): { update(piece: Uint8Array): void; digest(): string } {
  // The bytes that are the same number of bits off are XORed first, which is one table access per byte.
  const sums = new Uint8Array(hashBits);
  let length = 0;
  return {
    update(piece) {
      let at = length % hashBits;
      for (let index = 0; index < piece.length; index += 1) {
        sums[at] = (sums[at] as number) ^ (piece[index] as number);
        at = at + 1 === hashBits ? 0 : at + 1;
      }
      length += piece.length;
    },
    digest() {
      const hash = Buffer.alloc(hashBytes);
      for (let at = 0; at < hashBits; at += 1) xorAt(hash, (at * shiftBits) % hashBits, sums[at] as number);
      let rest = length;
      for (let at = hashBytes - lengthBytes; at < hashBytes; at += 1) {
        hash[at] = (hash[at] as number) ^ (rest % 256);
        rest = Math.floor(rest / 256);
      }
      return hash.toString('base64');
    },
  };
}

/** XORs a byte into a hash from a bit on; what goes beyond its end begins again at its start. */
function xorAt(hash: Buffer, bit: number, value: number): void {
  const first = Math.floor(bit / 8);
  const second = (first + 1) % hashBytes;
  const shifted = value << (bit % 8);
  hash[first] = (hash[first] as number) ^ (shifted & 255);
  hash[second] = (hash[second] as number) ^ (shifted >> 8);
}
