import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import type { LiveProduct } from '../live-product.ts';
import { compareThreeWay, mapById, toKeptPart, type UndoStates } from '../undo-sides.ts';
import { type IdentifiedVariant, identifyVariants, mapSentVariants } from '../variant-identity.ts';
import { variantName } from '../variant-names.ts';
import type { ReducedDraft } from './metafields.ts';

/** A quantity to set if the store's quantity still is `changeFromQuantity`. */
export type QuantityChange = { inventoryItemId: string; quantity: number; changeFromQuantity: number };

export type StockChanges = ReducedDraft & {
  set: QuantityChange[];
  /** Whether each unsent quantity was changed in the store, so that all of them can be sent with `overSales`. */
  areSold: boolean;
};

type Sides = {
  /** The variants of the draft, in the draft's order. */
  variants: readonly IdentifiedVariant[];
  locationId: string | null;
  isCut: boolean;
  /** Whether a variant may be stocked at the location for the first time. */
  restocks: boolean;
  /** The reason why the store sets none of these quantities. Absent if it may set them. */
  refusal?: string | null;
  /** Whether quantities are sent although the store has changed them since the last push. */
  overSales?: boolean;
};

/**
 * Returns the quantities that we changed since the last push. Sales and merchants change quantities too, so each is
 * set only if the store still has the quantity that we saw last, or sent last if we saw none. A quantity refused for
 * that reason is sent again only if the store has that value again, or with `overSales`. Leaves out new variants.
 */
export function findStockChanges(
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
    // The quantity that the store must still have. For a quantity refused before, that is the `last` of its refusal.
    const last =
      refusedQuantity?.quantity === next.quantity ? refusedQuantity.last : (seen?.quantity ?? sent.quantity);
    const isChanged = live !== undefined && live.quantity !== null && live.quantity !== last;
    // Returns why the quantity is not sent. Null if it can be sent or the store already has this quantity.
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

/** Returns `live`, read long after our write, with null for each quantity that differs from the sent one. */
export function keepSentQuantities(live: LiveProduct, sent: DraftProduct): LiveProduct {
  const written = identifyVariants(sent, { sent, seen: null, live });
  const asSent = new Set(
    written.flatMap((one) => (one.live?.quantity === one.next.quantity ? one.live : [])),
  );
  return {
    ...live,
    variants: live.variants.map((one) => (asSent.has(one) ? one : { ...one, quantity: null })),
  };
}

/** Restores earlier quantities where the store still has ours. Other quantities were sold, counted or moved since. */
export function restoreQuantities(
  { before, after, live, sentBefore, sentAfter }: UndoStates,
  locationId: string | null,
): { set: QuantityChange[]; kept: KeptPart[] } {
  const [sent, next] = [mapSentVariants(sentBefore, before), mapSentVariants(sentAfter, after)];
  const [ours, is] = [mapById(after.variants), mapById(live.variants)];
  const set: QuantityChange[] = [];
  const kept: KeptPart[] = [];
  for (const was of before.variants) {
    const [written, now] = [ours.get(was.id), is.get(was.id)];
    if (!written || !now) continue;
    const [earlier, changed] = [sent.get(was.id)?.quantity, next.get(was.id)?.quantity];
    // A take-over sets no quantities, and an update sets only changed ones.
    if (earlier === undefined || changed === undefined || earlier === changed) continue;
    const state = compareThreeWay(was.quantity, written.quantity, now.quantity);
    if (state === 'ours-not' || state === 'back') continue;
    const isOurs = state === 'restore' && written.quantity === changed;
    if (isOurs && was.quantity !== null && now.quantity !== null && locationId !== null) {
      const { inventoryItemId, quantity: changeFromQuantity } = now;
      set.push({ inventoryItemId, quantity: was.quantity, changeFromQuantity });
      continue;
    }
    const values = { before: was.quantity, ours: changed, now: now.quantity };
    const isLost = isOurs || (written.quantity === now.quantity && was.quantity === null);
    kept.push(toKeptPart('quantities', variantName(now), values, isLost ? 'cannot-restore' : 'changed'));
  }
  return { set, kept };
}
