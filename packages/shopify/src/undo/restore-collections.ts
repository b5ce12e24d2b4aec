import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import { manualCollectionIds } from '../collections.ts';
import { keptPart, type UndoSides } from './undo-sides.ts';

/** The complete list of manual collections to set: without those that we added, with those that we removed. */
export function restoreCollections({ before, after, live, sentBefore, sentAfter, collections }: UndoSides): {
  set: string[] | null;
  kept: KeptPart[];
} {
  const stored = new Map(collections.map((one) => [one.id, one]));
  const isManual = (id: string) => stored.get(id)?.smart === false;
  const titleOf = (id: string) => stored.get(id)?.title ?? id;
  const has = (product: { collectionIds: string[] }, id: string) => product.collectionIds.includes(id);
  const idsOf = (draft: UndoSides['sentBefore']) =>
    new Set(manualCollectionIds(collections, draft?.collections ?? []));
  const [next, sent] = [idsOf(sentAfter), idsOf(sentBefore)];
  const added = after.collectionIds.filter((id) => !has(before, id) && next.has(id) && has(live, id));
  const removed = before.collectionIds.filter((id) => !has(after, id) && !has(live, id));
  const restorable = removed.filter((id) => sent.has(id));
  // Smart collections follow the values of the product, which we changed.
  const lost = removed.filter((id) => !stored.has(id) && !restorable.includes(id));
  // Somebody added it before our write was read, or it had another title when we did.
  const unclear = after.collectionIds.filter(
    (id) => !has(before, id) && !next.has(id) && has(live, id) && isManual(id),
  );
  const kept = [
    ...lost.map((id) =>
      keptPart('collections', '', { before: titleOf(id), ours: null, now: null }, 'cannot-restore'),
    ),
    ...unclear.map((id) =>
      keptPart('collections', '', { before: null, ours: titleOf(id), now: titleOf(id) }),
    ),
  ];
  if (added.length + restorable.length === 0) return { set: null, kept };
  if (!live.complete.collections || live.collectionIds.some((id) => !stored.has(id))) {
    const values = (ids: readonly string[]) => ids.map(titleOf).join(', ');
    const all = { before: values(before.collectionIds), ours: values(after.collectionIds) };
    const part = keptPart('collections', '', { ...all, now: values(live.collectionIds) }, 'cannot-restore');
    return { set: null, kept: [...kept, part] };
  }
  const staying = live.collectionIds.filter((id) => isManual(id) && !added.includes(id));
  return { set: [...staying, ...restorable], kept };
}
