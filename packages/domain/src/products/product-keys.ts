import type { RowValues } from '../base/canonical-fields.ts';
import { gtinIn } from '../base/gtin.ts';
import type { DraftProduct } from './draft-product.ts';

/** Kinds of keys that identify a product besides our id. */
export type ProductKeyKind = 'sku' | 'gtin' | 'item';
/** `isItemNumber`: a SKU that is an item number, because the product has no other. */
export type ProductKey = { kind: ProductKeyKind; value: string; isItemNumber?: true };

/** Limit of keys of one product: products with more variants are matched by the first of them. */
const keysMax = 250;

/**
 * The keys of a product: the SKUs and GTINs of its draft, and the item numbers of its rows. The SKU is the one that is
 * sent, so an item number that stands in for a missing SKU is matched with the store's SKUs.
 */
export function keysOf(draft: Pick<DraftProduct, 'variants'>, rows: readonly RowValues[] = []): ProductKey[] {
  const numbers = new Set(rows.map(({ itemNumber }) => itemNumber?.trim() ?? ''));
  return uniqueKeys([
    ...draft.variants.map(({ sku }) => skuOf(sku.trim(), numbers)),
    ...draft.variants.map(({ barcode }) => ({ kind: 'gtin' as const, value: gtinIn(barcode)?.gtin ?? '' })),
    ...[...numbers].map((value) => ({ kind: 'item' as const, value })),
  ]);
}

const skuOf = (value: string, numbers: ReadonlySet<string>): ProductKey =>
  numbers.has(value) ? { kind: 'sku', value, isItemNumber: true } : { kind: 'sku', value };

/** Each key once, without empty ones, at most 250. */
function uniqueKeys(keys: readonly ProductKey[]): ProductKey[] {
  const byName = new Map(keys.map((key) => [`${key.kind} ${key.value}`, key]));
  return [...byName.values()].filter(({ value }) => value !== '').slice(0, keysMax);
}

const kindNames: Record<ProductKeyKind, string> = { sku: 'SKU', gtin: 'UPC', item: 'item number' };

/**
 * Why a product is not sent that the store has under another id, for the operator. `supplier`: the other one whose
 * product it is. The same for all with this kind and supplier.
 */
export function matchText(kind: ProductKeyKind, supplier: string | null = null): string {
  if (supplier !== null) {
    return kind === 'gtin' ? `Also sold by ${supplier}.` : `${supplier}’s product has the same SKU.`;
  }
  return `Already in the store with the same ${kindNames[kind]}.`;
}
