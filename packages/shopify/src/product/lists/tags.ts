import { toIntendedProduct } from '../intended-product.ts';
import type { UndoStates } from '../undo-sides.ts';

export const foldTag = (tag: string) => tag.toLowerCase();
/** Returns tags without their case, which the store ignores. */
export const foldTags = (tags: readonly string[]) => new Set(tags.map(foldTag));

/** Returns the store's tags without those that we sent and no longer have, plus our new tags. */
export function mergeTags(next: string[], sent: string[], live: string[]): string[] {
  const [nextFolded, sentFolded, liveFolded] = [foldTags(next), foldTags(sent), foldTags(live)];
  const kept = live.filter((tag) => nextFolded.has(foldTag(tag)) || !sentFolded.has(foldTag(tag)));
  return [...kept, ...next.filter((tag) => !liveFolded.has(foldTag(tag)))];
}

/** Returns the tags to set, without tags that we added and with tags that we removed. Null if all tags stay. */
export function restoreTags({ before, after, live, sentBefore, sentAfter }: UndoStates): string[] | null {
  const next = foldTags(toIntendedProduct(sentAfter).tags);
  const sent = foldTags(sentBefore ? toIntendedProduct(sentBefore).tags : []);
  const [hadBefore, hadAfter, has] = [foldTags(before.tags), foldTags(after.tags), foldTags(live.tags)];
  const isAdded = (tag: string) => hadAfter.has(tag) && !hadBefore.has(tag) && next.has(tag);
  const kept = live.tags.filter((tag) => !isAdded(foldTag(tag)));
  const isLost = (tag: string) => !hadAfter.has(tag) && sent.has(tag) && !has.has(tag);
  const removed = before.tags.filter((tag) => isLost(foldTag(tag)));
  return kept.length === live.tags.length && removed.length === 0 ? null : [...kept, ...removed];
}
