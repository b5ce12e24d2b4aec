import type { DraftProduct } from '@draftshelf/domain/draft-product';
import { payloadHash } from './canonical-json.ts';
import { intendedProduct } from './intended-product.ts';
import { driftedParts, type LiveProduct } from './product-state.ts';

export type Sending = {
  /** The draft that was on its way when the answer was lost. */
  draft: DraftProduct;
  /** The listing's baseline; null where the product had never been pushed. */
  baseline: LiveProduct | null;
};

/**
 * What to do with a product found `sending` after a crash or a lost answer, by what the store has now (decisions
 * P12): `record` our write arrived; `send` it did not, send it again; `skip` somebody changed or deleted the
 * product since, the operator decides.
 */
export function decideSending(live: LiveProduct | null, sending: Sending): 'record' | 'send' | 'skip' {
  const { draft, baseline } = sending;
  if (!live) return baseline ? 'skip' : 'send';
  const hash = payloadHash(draft);
  // Equal to the hash that stood there before the write, it proves nothing: a write may leave metafields out.
  if (live.payloadHash === hash && baseline?.payloadHash !== hash) return 'record';
  if (baseline && driftedParts(live, baseline).length === 0) return 'send';
  return hasDraft(live, draft) ? 'record' : 'skip';
}

/**
 * Whether a product that is read long after it was written still is what was sent: its state may then be the baseline.
 * The hash alone does not tell: it stays where a merchant has changed a title since.
 */
export function isAsSent(live: LiveProduct, sent: DraftProduct): boolean {
  return live.payloadHash === payloadHash(sent) && hasDraft(live, sent);
}

/** Whether the store's product has all that a draft intends, apart from quantities, images and metafields. */
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

/** "24.9" comes back as "24.90"; amounts here are far from where doubles lose a cent. */
function sameAmount(a: string | null, b: string | null): boolean {
  return a === null || b === null ? a === b : Number(a) === Number(b);
}
