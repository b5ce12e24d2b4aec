import { type GroupedRow, productRowsMax } from '@draftshelf/domain/products/grouping';
import { groupKeys } from './group-keys.ts';

/** Beyond this many keys, rows that stand apart are no longer joined. It bounds the memory to 14 MB. */
const groupKeysMax = 500_000;

export type ProductJoiner = {
  /** Takes the next row's place in a product. Returns the 1-based number of the product that it ends up in. */
  next(group: GroupedRow): number;
  /** Products with rows so far. */
  readonly products: number;
  /** False if there were too many keys, so that a product may have been counted more than once. */
  readonly exact: boolean;
};

/**
 * Joins rows with one group key that stand apart in a file, as finalize does after the upload: under the number of
 * their first row's product, up to the store's limit of variants. Products whose rows all went to another one do not
 * count, but keep their number.
 */
export function productJoiner(keysMax = groupKeysMax): ProductJoiner {
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
    next({ startsProduct, groupKey, parentKey }) {
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
    get exact() {
      return exact;
    },
  };
}
