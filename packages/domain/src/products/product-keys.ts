import type { RowValues } from '../base/canonical-fields.ts';
import { findGtin } from '../base/gtin.ts';
import type { DraftProduct } from './draft-product.ts';

/** Kinds of keys that identify a product, in addition to our id. */
export type ProductKeyKind = 'sku' | 'gtin' | 'item';
/** `isItemNumber`: the value is an item number that is used as the SKU, because the product has no SKU. */
export type ProductKey = { kind: ProductKeyKind; value: string; isItemNumber?: true };

/** Limit of keys per product. Products with more variants are matched by the first 250 keys. */
const keysMax = 250;

/**
 * Returns the keys of a product: the SKUs and GTINs of its draft, and the item numbers of its rows. SKUs are those
 * that are sent, so an item number in place of a missing SKU is matched with the store's SKUs.
 */
export function keysOf(draft: Pick<DraftProduct, 'variants'>, rows: readonly RowValues[] = []): ProductKey[] {
  const numbers = new Set(rows.map(({ itemNumber }) => itemNumber?.trim() ?? ''));
  return uniqueKeys([
    ...draft.variants.map(({ sku }) => skuOf(sku.trim(), numbers)),
    ...draft.variants.map(({ barcode }) => ({ kind: 'gtin' as const, value: findGtin(barcode)?.gtin ?? '' })),
    ...[...numbers].map((value) => ({ kind: 'item' as const, value })),
  ]);
}

const skuOf = (value: string, numbers: ReadonlySet<string>): ProductKey =>
  numbers.has(value) ? { kind: 'sku', value, isItemNumber: true } : { kind: 'sku', value };

/** Returns each key once, without empty keys, at most 250. */
function uniqueKeys(keys: readonly ProductKey[]): ProductKey[] {
  const byName = new Map(keys.map((key) => [`${key.kind} ${key.value}`, key]));
  return [...byName.values()].filter(({ value }) => value !== '').slice(0, keysMax);
}

const kindNames: Record<ProductKeyKind, string> = { sku: 'SKU', gtin: 'UPC', item: 'item number' };

/**
 * Returns a sentence that says why a product is not sent if the store has it under another id. `supplier`: the other
 * supplier, if the product belongs to one. The text is the same for all products of this kind and supplier.
 */
export function describeMatch(kind: ProductKeyKind, supplier: string | null = null): string {
  if (supplier !== null) {
    return kind === 'gtin' ? `Also sold by ${supplier}.` : `${supplier}’s product has the same SKU.`;
  }
  return `Already in the store with the same ${kindNames[kind]}.`;
}
