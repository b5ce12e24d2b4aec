import { type GroupedRow, productRowsMax } from '@draftshelf/domain/products/grouping';

/** With more keys than this, rows that are not adjacent are no longer joined, which limits the memory to 25 MB. */
const groupKeysMax = 500_000;

/** One number stores both values in less memory: the product's number times `rowsStep`, plus its number of rows. */
const rowsStep = productRowsMax + 1;

/**
 * Joins rows with the same group key that are not adjacent, as finalize does: into the first product with that key, up
 * to the store's limit of variants. A product that loses all its rows is not counted, but keeps its number.
 */
export function createProductJoiner(keysMax = groupKeysMax) {
  /** Stored numbers by the hash of the key, because keys may be long. */
  const kept = new Map<number, number>();
  let products = 0;
  /** The number of the product whose adjacent rows are being read, and whether that product is already counted. */
  let current = 0;
  let counted = false;
  let exact = true;

  const join = (key: string): number => {
    const hash = hashOf(key);
    const known = kept.get(hash);
    if (known === undefined && kept.size >= keysMax) {
      exact = false;
      return current;
    }
    // Assign the key to the current product if the key is new or the product with this key is full.
    const found = known ?? productRowsMax;
    const isFull = found % rowsStep === productRowsMax;
    const product = isFull ? current : Math.floor(found / rowsStep);
    kept.set(hash, isFull ? current * rowsStep + 1 : found + 1);
    return product;
  };
  return {
    /** Takes the next row. Returns the 1-based number of the product that the row belongs to. */
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

/**
 * cyrb53 (https://github.com/bryc/code, public domain), a hash of 53 bits. Among 500,000 keys, the probability that
 * any two have the same hash is 1 in 70,000.
 */
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
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
