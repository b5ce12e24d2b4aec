import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import type { LiveProduct } from '../live-product.ts';
import { byId, keptPart, threeWay, type UndoSides } from '../undo-sides.ts';
import { type IdentifiedVariant, identifyDraft, sentById } from '../variant-identity.ts';
import { variantName } from '../variant-names.ts';
import type { OwnedDraft } from './metafields.ts';

/** A quantity to set, if it still is `changeFromQuantity`. */
export type QuantityChange = { inventoryItemId: string; quantity: number; changeFromQuantity: number };

export type StockChanges = OwnedDraft & {
  set: QuantityChange[];
  /** The store has changed all of these quantities since: they can be sent over that. */
  areSold: boolean;
};

type Sides = {
  /** The variants of the draft, in its order. */
  variants: readonly IdentifiedVariant[];
  locationId: string | null;
  isCut: boolean;
  /** Whether a variant that was never stocked at the location may be. */
  restocks: boolean;
  /** The reason why the store sets none of these quantities; absent: it may set them. */
  refusal?: string | null;
  /** Quantities are sent although the store has changed them since. */
  overSales?: boolean;
};

/**
 * The quantities that we changed since the last push. Sales and merchants change them too: one is set only if the
 * store still has the one last seen (else sent). A number refused for that is sent again only if the store has that
 * quantity again, or over sales. New variants are left out.
 */
export function stockChanges(
  draft: DraftProduct,
  { variants, locationId, isCut, restocks, refusal = null, overSales = false }: Sides,
): StockChanges {
  const set: QuantityChange[] = [];
  const notSent: string[] = [];
  let sold = 0;
  const withSent = draft.variants.map((kept, at) => {
    const { next, sent, seen, live } = variants[at] ?? {};
    if (!next || !sent || (!live && !isCut) || sent.quantity === next.quantity) return kept;
    const { refusedQuantity } = sent;
    // The quantity that the store must still have. A refused number is judged as it was then.
    const last =
      refusedQuantity?.quantity === next.quantity ? refusedQuantity.last : (seen?.quantity ?? sent.quantity);
    const isChanged = live !== undefined && live.quantity !== null && live.quantity !== last;
    // Null if the quantity can be sent, or if the store has it already.
    const whyNot = (): string | null => {
      if (!live) return 'variant not read';
      if (!next.tracked) return 'quantities aren’t tracked';
      if (locationId === null) return 'the store has no location that ships';
      if (live.quantity === next.quantity) return null;
      const isNew = restocks && seen?.quantity === null && !live.isTakenOut;
      if (live.quantity === null && !isNew) return 'not stocked at the store’s location';
      return isChanged && !overSales ? `${changedSince} from ${last} to ${live.quantity}` : refusal;
    };
    const reason = whyNot();
    if (!live || reason !== null) {
      notSent.push(`quantity${next.sku ? ` of ${next.sku}` : ''} (${reason})`);
      if (isChanged && reason?.startsWith(changedSince)) sold += 1;
      const refused = isChanged ? { refused_quantity: { quantity: next.quantity, last } } : {};
      return { ...kept, inventory_quantity: sent.quantity, ...refused };
    }
    if (live.quantity !== next.quantity) {
      const { inventoryItemId, quantity: changeFromQuantity } = live;
      set.push({ inventoryItemId, quantity: next.quantity, changeFromQuantity: changeFromQuantity ?? 0 });
    }
    return kept;
  });
  const areSold = sold > 0 && sold === notSent.length;
  return { set, draft: { ...draft, variants: withSent }, notSent, areSold };
}

const changedSince = 'changed in the store';

/** Restores the sent quantities in a product read long after our write. */
export function withSentQuantities(live: LiveProduct, sent: DraftProduct): LiveProduct {
  const written = identifyDraft(sent, { sent, seen: null, live });
  const asSent = new Set(
    written.flatMap((one) => (one.live?.quantity === one.next.quantity ? one.live : [])),
  );
  return {
    ...live,
    variants: live.variants.map((one) => (asSent.has(one) ? one : { ...one, quantity: null })),
  };
}

/** The quantities to set if the store still has ours. Others were sold, counted or moved since. */
export function restoreQuantities(
  { before, after, live, sentBefore, sentAfter }: UndoSides,
  locationId: string | null,
): { set: QuantityChange[]; kept: KeptPart[] } {
  const [sent, next] = [sentById(sentBefore, before), sentById(sentAfter, after)];
  const [ours, is] = [byId(after.variants), byId(live.variants)];
  const set: QuantityChange[] = [];
  const kept: KeptPart[] = [];
  for (const was of before.variants) {
    const [written, now] = [ours.get(was.id), is.get(was.id)];
    if (!written || !now) continue;
    const [earlier, changed] = [sent.get(was.id)?.quantity, next.get(was.id)?.quantity];
    // Taking a product over sets no quantities.
    if (earlier === undefined || changed === undefined || earlier === changed) continue;
    const state = threeWay(was.quantity, written.quantity, now.quantity);
    if (state === 'ours-not' || state === 'back') continue;
    const isOurs = state === 'restore' && written.quantity === changed;
    if (isOurs && was.quantity !== null && now.quantity !== null && locationId !== null) {
      const { inventoryItemId, quantity: changeFromQuantity } = now;
      set.push({ inventoryItemId, quantity: was.quantity, changeFromQuantity });
      continue;
    }
    const values = { before: was.quantity, ours: changed, now: now.quantity };
    const isLost = isOurs || (written.quantity === now.quantity && was.quantity === null);
    kept.push(keptPart('quantities', variantName(now), values, isLost ? 'cannot-restore' : 'changed'));
  }
  return { set, kept };
}
