import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import { type Collection, findManualCollectionIds } from '../../collections.ts';
import { toKeptPart, type UndoStates } from '../undo-sides.ts';
import type { ReducedDraft } from './metafields.ts';

const folded = (title: string) => title.trim().toLowerCase();
const titlesOf = (draft: DraftProduct) => new Map((draft.collections ?? []).map((one) => [folded(one), one]));

/**
 * Merges our changes with the product's manual collections, because merchants also add products to collections. The
 * store fills smart collections itself. `ids`: the complete list to send, or null if nothing is to be sent.
 */
export function mergeCollections(
  draft: DraftProduct,
  { base, live, collections }: Pick<UndoStates, 'live' | 'collections'> & { base: DraftProduct },
): ReducedDraft & { ids: string[] | null } {
  const [next, before] = [titlesOf(draft), titlesOf(base)];
  const added = [...next].filter(([key]) => !before.has(key));
  const removed = [...before.keys()].filter((key) => !next.has(key));
  if (added.length + removed.length === 0) return { ids: null, draft, notSent: [] };
  const byId = new Map(collections.map((one) => [one.id, one]));
  if (!live.complete.collections || live.collectionIds.some((id) => !byId.has(id))) {
    const reason = 'collections (the product’s collections in the store can’t be merged now)';
    return { ids: null, draft: withCollections(draft, base.collections), notSent: [reason] };
  }
  const manual = new Map(collections.filter((one) => !one.smart).map((one) => [folded(one.title), one.id]));
  const unknown = added.filter(([key]) => !manual.has(key));
  const removedIds = new Set(removed.flatMap((key) => manual.get(key) ?? []));
  const inStore = live.collectionIds.filter((id) => byId.get(id)?.smart === false);
  const kept = inStore.filter((id) => !removedIds.has(id));
  const ids = [...new Set([...kept, ...added.flatMap(([key]) => manual.get(key) ?? [])])];
  const isSame = ids.length === inStore.length && ids.every((id) => inStore.includes(id));
  const known = (draft.collections ?? []).filter((one) => !unknown.some(([key]) => key === folded(one)));
  return {
    ids: isSame ? null : ids,
    draft: unknown.length > 0 ? withCollections(draft, known) : draft,
    notSent: unknown.map(([key, title]) => `collection “${title}” (${reasonAgainst(key, collections)})`),
  };
}

/** Returns the draft without collections that the store lacks. `notSent` names these. */
export function keepStoreCollections(draft: DraftProduct, collections: readonly Collection[]): ReducedDraft {
  const inStore = new Set(collections.map(({ title }) => folded(title)));
  const titles = draft.collections ?? [];
  const [known, missing] = [true, false].map((is) => titles.filter((one) => inStore.has(folded(one)) === is));
  if (!missing || missing.length === 0) return { draft, notSent: [] };
  const notSent = missing.map((title) => `collection “${title}” (${notInStore})`);
  return { draft: withCollections(draft, known), notSent };
}

const notInStore = 'not in the store';

const reasonAgainst = (key: string, collections: readonly Collection[]) =>
  collections.some((one) => folded(one.title) === key) ? 'it fills itself by rules' : notInStore;

function withCollections(draft: DraftProduct, titles: readonly string[] | undefined): DraftProduct {
  const { collections: _, ...rest } = draft;
  return titles && titles.length > 0 ? { ...rest, collections: [...titles] } : rest;
}

/** Undoes our changes of manual collections: drops added ones and puts back removed ones. `set`: null if all stay. */
export function restoreCollections({ before, after, live, sentBefore, sentAfter, collections }: UndoStates): {
  set: string[] | null;
  kept: KeptPart[];
} {
  const stored = new Map(collections.map((one) => [one.id, one]));
  const isManual = (id: string) => stored.get(id)?.smart === false;
  const titleOf = (id: string) => stored.get(id)?.title ?? id;
  const has = (product: { collectionIds: string[] }, id: string) => product.collectionIds.includes(id);
  const idsOf = (draft: UndoStates['sentBefore']) =>
    new Set(findManualCollectionIds(collections, draft?.collections ?? []));
  const [next, sent] = [idsOf(sentAfter), idsOf(sentBefore)];
  const added = after.collectionIds.filter((id) => !has(before, id) && next.has(id) && has(live, id));
  const removed = before.collectionIds.filter((id) => !has(after, id) && !has(live, id));
  const restorable = removed.filter((id) => sent.has(id));
  // The store fills smart collections again once the product's values are restored, so they are not lost.
  const lost = removed.filter((id) => !stored.has(id) && !restorable.includes(id));
  // Collections that others added before we read the product after our write, or that had another title then.
  const unclear = after.collectionIds.filter(
    (id) => !has(before, id) && !next.has(id) && has(live, id) && isManual(id),
  );
  const kept = [
    ...lost.map((id) =>
      toKeptPart('collections', '', { before: titleOf(id), ours: null, now: null }, 'cannot-restore'),
    ),
    ...unclear.map((id) =>
      toKeptPart('collections', '', { before: null, ours: titleOf(id), now: titleOf(id) }),
    ),
  ];
  if (added.length + restorable.length === 0) return { set: null, kept };
  if (!live.complete.collections || live.collectionIds.some((id) => !stored.has(id))) {
    const values = (ids: readonly string[]) => ids.map(titleOf).join(', ');
    const all = { before: values(before.collectionIds), ours: values(after.collectionIds) };
    const part = toKeptPart('collections', '', { ...all, now: values(live.collectionIds) }, 'cannot-restore');
    return { set: null, kept: [...kept, part] };
  }
  const staying = live.collectionIds.filter((id) => isManual(id) && !added.includes(id));
  return { set: [...staying, ...restorable], kept };
}
