const hashBytes = 20;
const hashBits = hashBytes * 8;
const shiftBits = 11;
const lengthBytes = 8;

/** XORs each byte 11 bits further than the last (learn.microsoft.com/onedrive/developer/code-snippets/quickxorhash). */
export function createQuickXorHash(): { update(piece: Uint8Array): void; digest(): string } {
  // Bytes at the same bit offset are XORed first: one table access per byte.
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

function xorAt(hash: Buffer, bit: number, value: number): void {
  const first = Math.floor(bit / 8);
  const second = (first + 1) % hashBytes;
  const shifted = value << (bit % 8);
  hash[first] = (hash[first] as number) ^ (shifted & 255);
  hash[second] = (hash[second] as number) ^ (shifted >> 8);
}
