import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import type { ProductSetInput, VariantSetInput } from '../documents.ts';
import { saidAgain, setValue } from './field.ts';
import { hasText, productFieldList, variantFieldList } from './fields.ts';
import { intendedProduct } from './intended-product.ts';
import { byId, keptPart, threeWay, type UndoSides } from './undo-sides.ts';
import { sentById } from './variant-identity.ts';
import { variantFieldName, variantName } from './variant-names.ts';

/** The texts of a product: those to set, and those that stay. */
export function restoreTexts({ before, after, live, sentAfter }: UndoSides): {
  input: ProductSetInput;
  kept: KeptPart[];
} {
  const intended = intendedProduct(sentAfter);
  const input: ProductSetInput = {};
  const kept: KeptPart[] = [];
  for (const field of productFieldList) {
    const { key, name, rewrites } = field;
    // An older version did not store it.
    if (before[key] === undefined) continue;
    const next = threeWay(before[key], after[key], live[key]);
    const isOurs = rewrites || hasText(field, after, intended);
    if (next === 'restore' && isOurs) setValue(input, field, before[key], after[key]);
    else if (next === 'restore' || next === 'changed') {
      const ours = isOurs ? after[key] : intended[key];
      kept.push(keptPart(name, '', { before: before[key], ours, now: live[key] }));
    }
  }
  return { input, kept };
}

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
