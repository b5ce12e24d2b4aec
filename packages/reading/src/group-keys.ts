/** What is known of a group key: the number of the product that its rows join, and how many rows that has. */
export type KnownKey = { product: number; rows: number };

export type GroupKeys = {
  readonly size: number;
  /** What was last set for a key, or undefined. */
  get(key: string): KnownKey | undefined;
  set(key: string, known: KnownKey): void;
};

const slotsAtFirst = 1024;

/**
 * A map of group keys that stays small: 28 bytes a key at most, where a Map of strings takes about 200. It keeps a hash
 * of 53 bits instead of the key: among 500,000 keys, the probability that any two are equal is 1 in 70,000.
 */
export function groupKeys(): GroupKeys {
  let size = 0;
  let hashes = new Float64Array(slotsAtFirst);
  let products = new Uint32Array(slotsAtFirst);
  let rowCounts = new Uint16Array(slotsAtFirst);

  /** The slot of a hash, or the empty one where it belongs. Slots are a power of two. */
  const slotOf = (hash: number): number => {
    let slot = (hash % hashes.length) | 0;
    while (hashes[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & (hashes.length - 1);
    return slot;
  };
  const grow = () => {
    const before = { hashes, products, rowCounts };
    const slots = before.hashes.length * 2;
    hashes = new Float64Array(slots);
    products = new Uint32Array(slots);
    rowCounts = new Uint16Array(slots);
    for (const [at, hash] of before.hashes.entries()) {
      if (hash === 0) continue;
      const slot = slotOf(hash);
      hashes[slot] = hash;
      products[slot] = before.products[at] ?? 0;
      rowCounts[slot] = before.rowCounts[at] ?? 0;
    }
  };
  return {
    get size() {
      return size;
    },
    get(key) {
      const slot = slotOf(hashOf(key));
      if (hashes[slot] === 0) return undefined;
      return { product: products[slot] ?? 0, rows: rowCounts[slot] ?? 0 };
    },
    set(key, { product, rows }) {
      const hash = hashOf(key);
      let slot = slotOf(hash);
      if (hashes[slot] === 0) {
        if (2 * (size + 1) > hashes.length) {
          grow();
          slot = slotOf(hash);
        }
        hashes[slot] = hash;
        size += 1;
      }
      products[slot] = product;
      rowCounts[slot] = rows;
    },
  };
}

/** cyrb53 (https://github.com/bryc/code, public domain), a hash of 53 bits; never 0, which marks an empty slot. */
function hashOf(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0) || 1;
}
