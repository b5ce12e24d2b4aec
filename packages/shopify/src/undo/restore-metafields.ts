import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import { externalIdKey, type MetafieldInput, ourNamespace, payloadKey } from '../documents.ts';
import type { LiveMetafield } from '../product-state.ts';
import { reservedNamespace } from '../product-update-input.ts';
import { isSame, keptPart, threeWay, type UndoSides } from './undo-sides.ts';

export type RestoredMetafields = {
  /** The complete list to set; null: no earlier value is to be set. */
  set: MetafieldInput[] | null;
  remove: { namespace: string; key: string }[];
  kept: KeptPart[];
};

type Named = { namespace: string; key: string };
const nameOf = ({ namespace, key }: Named) => `${namespace}.${key}`;
const byName = (metafields: readonly LiveMetafield[]) => new Map(metafields.map((one) => [nameOf(one), one]));

/** They identify the product and our payload, and are no values of it. */
const bookkeeping: readonly Named[] = [externalIdKey, payloadKey].map((key) => ({
  namespace: ourNamespace,
  key,
}));
const isBookkeeping = (one: Named) => bookkeeping.some((other) => nameOf(other) === nameOf(one));

/** Our metafields key by key: to be set to their earlier values, to be removed, or left. Others' are never touched. */
export function restoreMetafields(sides: UndoSides): RestoredMetafields {
  const { before, after, live, sentBefore, sentAfter } = sides;
  const [earlier, written, now] = [before, after, live].map(({ metafields }) => byName(metafields));
  const isRead = before.complete.metafields && after.complete.metafields && live.complete.metafields;
  const changed: LiveMetafield[] = [];
  const remove: Named[] = [];
  const kept: KeptPart[] = [];
  for (const one of oursOf(sentAfter, sentBefore)) {
    const name = nameOf(one);
    const [was, ours, is] = [earlier?.get(name), written?.get(name), now?.get(name)];
    const next = threeWay(was ?? null, ours ?? null, is ?? null);
    if (next === 'restore' && was) changed.push(was);
    else if (next === 'restore' && isRead) remove.push({ namespace: one.namespace, key: one.key });
    else if ((next === 'restore' || next === 'changed') && !isBookkeeping(one)) {
      const values = { before: was?.value, ours: ours?.value, now: is?.value };
      kept.push(keptPart('metafields', name, values, next === 'restore' ? 'cannot-restore' : 'changed'));
    }
  }
  if (changed.length === 0) return { set: null, remove, kept };
  const set = isRead ? completeList(live.metafields, changed, remove) : null;
  if (set) return { set, remove, kept };
  const lost = changed.filter((one) => !isBookkeeping(one));
  const values = (one: LiveMetafield) => ({
    before: one.value,
    ours: written?.get(nameOf(one))?.value,
    now: now?.get(nameOf(one))?.value,
  });
  return {
    set: null,
    remove,
    kept: [...kept, ...lost.map((one) => keptPart('metafields', nameOf(one), values(one), 'cannot-restore'))],
  };
}

/** What we may have written: the metafields of both drafts, and our two. */
function oursOf(sentAfter: DraftProduct, sentBefore: DraftProduct | null): Named[] {
  const all = [...bookkeeping, ...sentAfter.metafields, ...(sentBefore?.metafields ?? [])];
  return [...new Map(all.map((one) => [nameOf(one), one])).values()];
}

/** Null if the list contains metafields that we may not write. */
function completeList(
  live: readonly LiveMetafield[],
  changed: readonly LiveMetafield[],
  removed: readonly Named[],
): MetafieldInput[] | null {
  const isIn = (list: readonly Named[], one: Named) => list.some((other) => nameOf(other) === nameOf(one));
  const others = live.filter((one) => !isIn(changed, one) && !isIn(removed, one));
  if (others.some(({ namespace }) => reservedNamespace.test(namespace))) return null;
  // The definition of our id has the type.
  return [...others, ...changed].map(({ namespace, key, value, type }) =>
    isSame({ namespace, key }, bookkeeping[0]) ? { namespace, key, value } : { namespace, key, value, type },
  );
}
