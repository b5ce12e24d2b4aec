import { type GroupedRow, productRowsMax } from '@draftshelf/domain/products/grouping';

/** Beyond this many keys, rows that stand apart are no longer joined. It bounds the memory to 14 MB. */
const groupKeysMax = 500_000;

/**
 * Joins rows with one group key that stand apart, as finalize does: under the number of their first row's product, up
 * to the store's limit of variants. Products whose rows all moved do not count, but keep their number.
 */
export function productJoiner(keysMax = groupKeysMax) {
  const keys = groupKeys(keysMax);
  let products = 0;
  /** The number of the adjacent rows that are being read, and whether it counts already. */
  let current = 0;
  let counted = false;
  let exact = true;
  /** The key of the row before and its slot. Most rows of a product are adjacent. */
  let lastKey: string | null = null;
  let slot: number | null = null;

  const join = (key: string): number => {
    if (lastKey !== key) {
      lastKey = key;
      slot = keys.slotOf(key, current);
    }
    if (slot === null) {
      exact = false;
      return current;
    }
    const isFull = keys.rows(slot) >= productRowsMax;
    const product = isFull ? current : keys.product(slot);
    keys.set(slot, product, isFull ? 1 : keys.rows(slot) + 1);
    return product;
  };
  return {
    /** Takes the next row. Returns the 1-based number of the product that it ends up in. */
    next({ startsProduct, groupKey, parentKey }: GroupedRow): number {
      if (startsProduct) {
        current += 1;
        counted = false;
      }
      const key = groupKey ?? parentKey;
      const product = key === null ? current : join(key);
      if (product === current && !counted) {
        counted = true;
        products += 1;
      }
      return product;
    },
    get products() {
      return products;
    },
    /** False if there were too many keys, so that a product may have been counted more than once. */
    get exact() {
      return exact;
    },
  };
}

const slotsAtFirst = 1024;

/**
 * 28 bytes a key, where a Map of strings takes about 200. It keeps a hash of 53 bits instead of the key: among 500,000
 * keys, the probability that any two have the same is 1 in 70,000.
 */
export function groupKeys(keysMax: number) {
  let size = 0;
  let hashes = new Float64Array(slotsAtFirst);
  let products = new Uint32Array(slotsAtFirst);
  let rowCounts = new Uint16Array(slotsAtFirst);

  /** The slot of a hash, or the empty one where it belongs. The number of slots is a power of two. */
  const find = (hash: number): number => {
    const mask = hashes.length - 1;
    let slot = hash & mask;
    while (hashes[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & mask;
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
      const slot = find(hash);
      hashes[slot] = hash;
      products[slot] = before.products[at] ?? 0;
      rowCounts[slot] = before.rowCounts[at] ?? 0;
    }
  };
  return {
    get size() {
      return size;
    },
    /** Returns the slot of a key, which is added if it is new; null if there is no room. Valid until the next call. */
    slotOf(key: string, product: number): number | null {
      const hash = hashOf(key);
      let slot = find(hash);
      if (hashes[slot] !== 0) return slot;
      if (size >= keysMax) return null;
      if (2 * (size + 1) > hashes.length) {
        grow();
        slot = find(hash);
      }
      size += 1;
      hashes[slot] = hash;
      products[slot] = product;
      return slot;
    },
    product: (slot: number): number => products[slot] ?? 0,
    rows: (slot: number): number => rowCounts[slot] ?? 0,
    set(slot: number, product: number, rows: number): void {
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
