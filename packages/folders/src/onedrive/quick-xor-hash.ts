const hashBytes = 20;
const hashBits = hashBytes * 8;
const shiftBits = 11;
/** The length is XORed into the last eight bytes. */
const lengthShift = BigInt(hashBits - 64);

/** XORs each byte 11 bits after the one before (learn.microsoft.com/onedrive/developer/code-snippets/quickxorhash). */
export function createQuickXorHash(): { update(piece: Uint8Array): void; digest(): string } {
  // Bytes with the same bit offset are XORed first, so that each byte needs only one access to this table.
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
      let hash = BigInt(length) << lengthShift;
      sums.forEach((sum, at) => {
        const shifted = BigInt(sum) << BigInt((at * shiftBits) % hashBits);
        hash ^= BigInt.asUintN(hashBits, shifted) ^ (shifted >> BigInt(hashBits));
      });
      const digits = hash.toString(16).padStart(hashBytes * 2, '0');
      return Buffer.from(digits, 'hex').reverse().toString('base64');
    },
  };
}
