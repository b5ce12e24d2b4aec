import type { DraftProduct } from '@draftshelf/domain/draft-product';
import { canonicalJson } from './canonical-json.ts';
import { type IntendedVariant, intendedProduct } from './intended-product.ts';
import type { LiveProduct, LiveVariant } from './product-state.ts';

/** A quantity to set, if it still is `changeFromQuantity`. */
export type QuantityChange = { inventoryItemId: string; quantity: number; changeFromQuantity: number };

export type StockChanges = {
  set: QuantityChange[];
  /** The draft without the changes that are not sent. */
  draft: DraftProduct;
  /** Changes that are not sent, with the reason, for the operator. */
  notSent: string[];
};

type Sides = {
  /** The draft that was sent last. */
  base: DraftProduct;
  live: LiveProduct;
  /** The product as read after our last write: the quantities last seen. One that is null is not known. */
  seen: LiveProduct | null;
  locationId: string | null;
  /** Why the store sets none of these quantities; absent: it can be asked to. */
  refusal?: string | null;
};

/**
 * The quantities that we changed since the last push. A quantity is set only if the store still has the one that was
 * last seen, or sent if none was seen: sales and merchants change quantities too. Variants that the store does not have
 * yet are not looked at.
 */
export function stockChanges(
  draft: DraftProduct,
  { base, live, seen, locationId, refusal = null }: Sides,
): StockChanges {
  const baseByOptions = byOptions(intendedProduct(base).variants);
  const liveByOptions = byOptions(live.variants);
  const seenByOptions = byOptions(seen?.variants ?? []);
  const set: QuantityChange[] = [];
  const notSent: string[] = [];
  const variants = intendedProduct(draft).variants.map((variant, at) => {
    const key = keyOf(variant);
    const kept = draft.variants[at];
    if (!kept) throw new Error('A draft has another number of variants than it intends');
    const [before, inStore] = [baseByOptions.get(key), liveByOptions.get(key)];
    if (!before || !inStore || before.quantity === variant.quantity) return kept;
    const last = { seen: seenByOptions.get(key), sent: before };
    const reason = whyNotSent(variant, { live: inStore, ...last, locationId, refusal });
    if (reason !== null) {
      notSent.push(`quantity${variant.sku ? ` of ${variant.sku}` : ''} (${reason})`);
      return { ...kept, inventory_quantity: before.quantity };
    }
    if (inStore.quantity !== null && inStore.quantity !== variant.quantity) {
      const { inventoryItemId, quantity: changeFromQuantity } = inStore;
      set.push({ inventoryItemId, quantity: variant.quantity, changeFromQuantity });
    }
    return kept;
  });
  return { set, draft: { ...draft, variants }, notSent };
}

type WhySides = Required<Pick<Sides, 'locationId' | 'refusal'>> & {
  live: LiveVariant;
  seen: LiveVariant | undefined;
  sent: IntendedVariant;
};

/** Null if the quantity can be sent, or if the store has it already. */
function whyNotSent(
  variant: IntendedVariant,
  { live, seen, sent, locationId, refusal }: WhySides,
): string | null {
  if (!variant.tracked) return 'quantities aren’t tracked';
  if (locationId === null) return 'the store has no location that ships';
  if (live.quantity === variant.quantity) return null;
  if (live.quantity === null) return 'not stocked at the store’s location';
  const last = seen?.quantity ?? sent.quantity;
  return last === live.quantity ? refusal : `changed in the store from ${last} to ${live.quantity}`;
}

/** A product that was read long after our write: quantities that differ from the sent ones are not those of then. */
export function withSentQuantities(live: LiveProduct, sent: DraftProduct): LiveProduct {
  const sentByOptions = byOptions(intendedProduct(sent).variants);
  const isSent = (one: LiveVariant) => sentByOptions.get(keyOf(one))?.quantity === one.quantity;
  return { ...live, variants: live.variants.map((one) => (isSent(one) ? one : { ...one, quantity: null })) };
}

const keyOf = (variant: { options: unknown }) => canonicalJson(variant.options);
const byOptions = <V extends { options: unknown }>(variants: readonly V[]) =>
  new Map(variants.map((variant) => [keyOf(variant), variant]));
