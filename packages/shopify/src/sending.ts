import type { DraftProduct } from '@draftshelf/domain/draft-product';
import { payloadHash } from './canonical-json.ts';
import { intendedProduct } from './intended-product.ts';
import { driftedParts, type LiveProduct } from './product-state.ts';

export type Sending = {
  /** The draft that was sent when the response was lost. */
  draft: DraftProduct;
  /** The listing's baseline; null if the product had never been pushed. */
  baseline: LiveProduct | null;
};

/**
 * What to do with a product that is still `sending` after a crash or a lost response, from what the store has now
 * (null: nothing). `record`: our write arrived. `send`: it did not; send it again. `skip`: somebody changed or deleted
 * the product since; the operator decides.
 */
export function decideSending(live: LiveProduct | null, sending: Sending): 'record' | 'send' | 'skip' {
  const { draft, baseline } = sending;
  if (!live) return baseline ? 'skip' : 'send';
  const hash = payloadHash(draft);
  // If the hash was the same before the write, it proves nothing, because a write may omit metafields.
  if (live.payloadHash === hash && baseline?.payloadHash !== hash) return 'record';
  if (baseline && driftedParts(live, baseline).length === 0) return 'send';
  return hasDraft(live, draft) ? 'record' : 'skip';
}

/**
 * Whether a product that is read long after it was written is still as it was sent, so that its state can be the
 * baseline. The hash alone is not enough: it stays the same if a merchant changes the title.
 */
export function isAsSent(live: LiveProduct, sent: DraftProduct): boolean {
  return live.payloadHash === payloadHash(sent) && hasDraft(live, sent);
}

/** Whether the store's product has all values of a draft, except quantities, images and metafields. */
function hasDraft(live: LiveProduct, draft: DraftProduct): boolean {
  const intended = intendedProduct(draft);
  const liveTags = new Set(live.tags.map((tag) => tag.toLowerCase()));
  return (
    live.title === intended.title &&
    live.descriptionHtml.trim() === intended.descriptionHtml.trim() &&
    (intended.vendor === '' || live.vendor === intended.vendor) &&
    live.productType === intended.productType &&
    live.status === intended.status &&
    intended.tags.every((tag) => liveTags.has(tag.toLowerCase())) &&
    live.variants.length === intended.variants.length &&
    intended.variants.every((variant, index) => {
      const other = live.variants[index];
      return (
        other !== undefined &&
        sameAmount(other.price, variant.price) &&
        sameAmount(other.compareAtPrice, variant.compareAtPrice) &&
        (other.sku ?? '') === variant.sku &&
        (other.barcode || null) === variant.barcode
      );
    })
  );
}

/** The store returns "24.9" as "24.90". These amounts are far below the size where doubles lose a cent. */
function sameAmount(a: string | null, b: string | null): boolean {
  return a === null || b === null ? a === b : Number(a) === Number(b);
}
