const bits = 160n;
const mask = (1n << bits) - 1n;

/** QuickXorHash of whole contents, as its definition reads: slow, and independent of the one that is tested with it. */
export function quickXorHashOf(bytes: Buffer): string {
  // Bytes that are 160 apart are shifted alike.
  const sums = new Array<number>(160).fill(0);
  bytes.forEach((byte, at) => {
    sums[at % 160] = (sums[at % 160] ?? 0) ^ byte;
  });
  let hash = 0n;
  sums.forEach((sum, at) => {
    const shift = BigInt(at * 11) % bits;
    const shifted = BigInt(sum) << shift;
    hash ^= (shifted & mask) | (shifted >> bits);
  });
  hash ^= BigInt(bytes.length) << 96n;
  const digits = hash.toString(16).padStart(40, '0');
  return Buffer.from(digits, 'hex').reverse().toString('base64');
}
