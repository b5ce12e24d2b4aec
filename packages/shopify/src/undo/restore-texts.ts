import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import type { ProductSetInput } from '../documents.ts';
import { intendedProduct } from '../intended-product.ts';
import { setValue } from '../product/field.ts';
import { isSameText, productFieldList } from '../product/fields.ts';
import { keptPart, threeWay, type UndoSides } from './undo-sides.ts';

/** The texts of a product: those to set, and those that stay. */
export function restoreTexts({ before, after, live, sentAfter }: UndoSides): {
  input: ProductSetInput;
  kept: KeptPart[];
} {
  const intended = intendedProduct(sentAfter);
  const input: ProductSetInput = {};
  const kept: KeptPart[] = [];
  for (const field of productFieldList) {
    const { key, name, fills, rewrites } = field;
    // An older version did not store it.
    if (before[key] === undefined) continue;
    const next = threeWay(before[key], after[key], live[key]);
    const isOurs = rewrites || (fills && intended[key] === '') || isSameText(field, after, intended);
    if (next === 'restore' && isOurs) setValue(input, field, before[key], after[key]);
    else if (next === 'restore' || next === 'changed') {
      const ours = isOurs ? after[key] : intended[key];
      kept.push(keptPart(name, '', { before: before[key], ours, now: live[key] }));
    }
  }
  return { input, kept };
}

const fold = (tag: string) => tag.toLowerCase();
const foldAll = (tags: readonly string[]) => new Set(tags.map(fold));
const tagsOf = (sides: UndoSides) => ({
  next: foldAll(intendedProduct(sides.sentAfter).tags),
  sent: foldAll(sides.sentBefore ? intendedProduct(sides.sentBefore).tags : []),
});

/** The tags to set, each for itself: without those that we added, with those that we removed. Null: they stay. */
export function restoreTags(sides: UndoSides): string[] | null {
  const { before, after, live } = sides;
  const { next, sent } = tagsOf(sides);
  const [hadBefore, hadAfter, has] = [foldAll(before.tags), foldAll(after.tags), foldAll(live.tags)];
  const isAdded = (tag: string) => hadAfter.has(tag) && !hadBefore.has(tag) && next.has(tag);
  const kept = live.tags.filter((tag) => !isAdded(fold(tag)));
  const removed = before.tags.filter(
    (tag) => !hadAfter.has(fold(tag)) && sent.has(fold(tag)) && !has.has(fold(tag)),
  );
  return kept.length === live.tags.length && removed.length === 0 ? null : [...kept, ...removed];
}
