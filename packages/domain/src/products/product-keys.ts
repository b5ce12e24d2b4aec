import type { RowValues } from '../base/canonical-fields.ts';
import { gtinIn } from '../base/gtin.ts';
import type { DraftProduct } from './draft-product.ts';

/** What identifies a product beside our id. */
export const productKeyKinds = ['sku', 'gtin', 'item'] as const;
export type ProductKeyKind = (typeof productKeyKinds)[number];
export type ProductKey = { kind: ProductKeyKind; value: string };

/** Limit of keys of one product: products with more variants are matched by the first of them. */
const keysMax = 250;

/**
 * The keys of a product: the SKUs and GTINs of its draft, and the item numbers of its rows. The SKU is the one that is
 * sent, so an item number that stands in for a missing SKU is matched with the store's SKUs.
 */
export function keysOf(draft: Pick<DraftProduct, 'variants'>, rows: readonly RowValues[] = []): ProductKey[] {
  return uniqueKeys([
    ...draft.variants.map(({ sku }) => ({ kind: 'sku' as const, value: sku.trim() })),
    ...draft.variants.map(({ barcode }) => ({ kind: 'gtin' as const, value: gtinIn(barcode)?.gtin ?? '' })),
    ...rows.map(({ itemNumber }) => ({ kind: 'item' as const, value: itemNumber?.trim() ?? '' })),
  ]);
}

/** Each key once, without empty ones, at most 250. */
function uniqueKeys(keys: readonly ProductKey[]): ProductKey[] {
  const byName = new Map(keys.map((key) => [`${key.kind} ${key.value}`, key]));
  return [...byName.values()].filter(({ value }) => value !== '').slice(0, keysMax);
}

const kindNames: Record<ProductKeyKind, string> = { sku: 'SKU', gtin: 'UPC', item: 'item number' };

/** Why a product is not sent that the store has under another id, for the operator. The same for all with this kind. */
export function matchText(kind: ProductKeyKind): string {
  return `Already in the store with the same ${kindNames[kind]}.`;
}
