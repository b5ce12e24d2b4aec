import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import type { ProductSetInput } from '../documents.ts';
import { intendedProduct } from '../intended-product.ts';
import { keptPart, threeWay, type UndoSides } from './undo-sides.ts';

const texts = [
  { part: 'title', key: 'title' },
  { part: 'description', key: 'descriptionHtml' },
  { part: 'vendor', key: 'vendor' },
  { part: 'type', key: 'productType' },
  { part: 'status', key: 'status' },
] as const;

/** Title, description, vendor, type and status: the fields to set, and those that stay. */
export function restoreTexts({ before, after, live, sentAfter }: UndoSides): {
  input: ProductSetInput;
  kept: KeptPart[];
} {
  const intended = intendedProduct(sentAfter);
  // The store may rewrite a description, and sets a vendor where we sent none.
  const isOurs = (key: (typeof texts)[number]['key']) =>
    key === 'descriptionHtml' ||
    (key === 'vendor' && intended.vendor === '') ||
    after[key].trim() === intended[key].trim();
  const input: Record<string, string> = {};
  const kept: KeptPart[] = [];
  for (const { part, key } of texts) {
    const next = threeWay(before[key], after[key], live[key]);
    if (next === 'restore' && isOurs(key)) input[key] = before[key];
    else if (next === 'restore' || next === 'changed') {
      const ours = isOurs(key) ? after[key] : intended[key];
      kept.push(keptPart(part, '', { before: before[key], ours, now: live[key] }));
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
