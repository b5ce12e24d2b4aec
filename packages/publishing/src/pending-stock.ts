import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { type QuantityChange, stockChanges } from '@draftshelf/shopify/product/lists/quantities';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { identifyDraft } from '@draftshelf/shopify/product/variant-identity';
import type { ProductFacts, Pushed, Sending, Unset } from './decision.ts';

/** The quantities follow their product in a separate call. */
export type PendingStock = {
  /** The store has all of them, or all values from before the write; otherwise others have changed some. */
  state: 'arrived' | 'untouched' | 'changed';
  quantities: QuantityChange[];
  /** The draft as arrived once they are set. */
  draft: DraftProduct;
  arrived: DraftProduct;
  notSent: string[];
};

/** Stands for the response of a store that has forgotten the keys of a write, without a call. */
const forgotten: Unset = { isStale: true, reason: 'changed in the store meanwhile', times: 1 };

/**
 * The first attempt sets all quantities with the same key: the response tells whether they had arrived. Later, or
 * once the store has forgotten the key, only unchanged ones, where they are stocked: version 2026-07 refuses all
 * otherwise.
 */
export function pendingStock(
  { store: { locationId }, ...facts }: Pick<ProductFacts, 'store' | 'unset'>,
  pushed: Pushed | null,
  { draft, before, kind, areKeysForgotten }: Sending,
  live: LiveProduct,
): PendingStock | null {
  if (!pushed || !before || kind !== 'update') return null;
  const unset = facts.unset ?? (areKeysForgotten ? forgotten : undefined);
  const changes = (at: LiveProduct, restocks: boolean, refusal: string | null = null) => {
    const sides = { sent: pushed.rebuiltDraft, seen: before, live: at };
    const variants = identifyDraft(draft, sides);
    const isCut = !live.complete.variants;
    return stockChanges(draft, { variants, locationId, isCut, restocks, refusal });
  };
  const all = changes(before, true).set;
  if (all.length === 0) return null;
  const now = changes(live, !unset);
  if (now.set.length + now.notSent.length === 0) {
    return { state: 'arrived', quantities: [], draft, arrived: draft, notSent: [] };
  }
  const state = isUntouched(all, live) ? 'untouched' : 'changed';
  const refused = changes(live, !unset, unset?.reason ?? 'not set');
  const { draft: arrived } = refused;
  if (!unset) return { state, quantities: all, draft, arrived, notSent: [] };
  const { set, ...rest } = unset.isStale && unset.times === 1 ? now : refused;
  return { state, quantities: set, arrived, ...rest };
}

function isUntouched(changes: readonly QuantityChange[], live: LiveProduct): boolean {
  const quantities = new Map(live.variants.map((one) => [one.inventoryItemId, one.quantity]));
  return changes.every((one) => (quantities.get(one.inventoryItemId) ?? 0) === one.changeFromQuantity);
}
