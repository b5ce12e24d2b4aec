import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { pairVariants } from '@draftshelf/domain/products/pair-variants';
import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import type { VariantSetInput } from '../documents.ts';
import { type IntendedVariant, intendedProduct } from '../intended-product.ts';
import { saidAgain, setValue } from '../product/field.ts';
import { variantFieldList } from '../product/fields.ts';
import type { LiveProduct } from '../product-state.ts';
import type { QuantityChange } from '../stock-changes.ts';
import { variantFieldName, variantName } from '../variant-names.ts';
import { byId, keptPart, threeWay, type UndoSides } from './undo-sides.ts';

type VariantFields = Omit<VariantSetInput, 'id' | 'optionValues'>;

/** The fields to set on variants that were there before, by variant id, and those that stay. */
export function restoreVariantFields({ before, after, live, sentAfter }: UndoSides): {
  set: Map<string, VariantFields>;
  kept: KeptPart[];
} {
  const sent = sentById(sentAfter, after);
  const [ours, is] = [byId(after.variants), byId(live.variants)];
  const set = new Map<string, VariantFields>();
  const kept: KeptPart[] = [];
  for (const was of before.variants) {
    const [written, now] = [ours.get(was.id), is.get(was.id)];
    const intended = sent.get(was.id);
    if (!written || !now) continue;
    for (const field of variantFieldList) {
      const { key, name, text } = field;
      // An older version did not store it.
      if (was[key] === undefined) continue;
      const values = { before: text(was[key]), ours: text(written[key]), now: text(now[key]) };
      const next = threeWay(values.before, values.ours, values.now);
      if (next !== 'restore' && next !== 'changed') continue;
      // A variant that the draft does not have is not ours: somebody changed it while the product was written.
      const ours = intended && text(intended[key]);
      if (next === 'restore' && values.ours === ours) {
        const input = set.get(was.id) ?? {};
        setValue(input, field, saidAgain(field, was), saidAgain(field, written));
        set.set(was.id, input);
      } else {
        const shown = { ...values, ours: ours ?? values.ours };
        kept.push(keptPart('variants', variantFieldName(variantName(now), name), shown));
      }
    }
  }
  return { set, kept };
}

/** The variants of a draft, by the ids that they have in the product that was read after it was sent. */
export function sentById(draft: DraftProduct | null, product: LiveProduct): Map<string, IntendedVariant> {
  const sent = draft ? intendedProduct(draft).variants : [];
  const inStore = pairVariants(sent, product.variants, { isOurs: true });
  return new Map(sent.flatMap((one, at) => (inStore[at] ? [[inStore[at].id, one] as const] : [])));
}

/**
 * The quantities to set, each only if the store still has the one that we set. What is not restored was sold, counted
 * or moved since.
 */
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
