import { canonicalJson } from '@draftshelf/domain/base/canonical-json';
import { metafieldText } from '@draftshelf/domain/base/metafield-values';
import { metafieldName, reservedNamespace } from '@draftshelf/domain/base/metafields';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import { externalIdKey, type MetafieldInput, ourNamespace, payloadKey } from '../../documents.ts';
import { payloadHash } from '../../payload-hash.ts';
import type { IntendedProduct } from '../intended-product.ts';
import type { LiveMetafield, LiveProduct } from '../live-product.ts';
import { isSame, keptPart, threeWay, type UndoSides } from '../undo-sides.ts';

export type RestoredMetafields = {
  /** The complete list to set; null: no earlier value is to be set. */
  set: MetafieldInput[] | null;
  remove: { namespace: string; key: string }[];
  kept: KeptPart[];
};

export type MetafieldName = { namespace: string; key: string };
const byName = <One extends MetafieldName>(metafields: readonly One[]) =>
  new Map(metafields.map((one) => [metafieldName(one), one]));

/** They identify the product and our payload, and are no values of it. */
const bookkeeping: readonly MetafieldName[] = [externalIdKey, payloadKey].map((key) => ({
  namespace: ourNamespace,
  key,
}));
const bookkeepingNames = new Set(bookkeeping.map(metafieldName));
export const isBookkeeping = (one: MetafieldName) => bookkeepingNames.has(metafieldName(one));

/** Our metafields key by key: to be set to their earlier values, to be removed, or left. Others' are never touched. */
export function restoreMetafields(sides: UndoSides): RestoredMetafields {
  const { before, after, live, sentBefore, sentAfter } = sides;
  const [earlier, written, now] = [before, after, live].map(({ metafields }) => byName(metafields));
  const isRead = before.complete.metafields && after.complete.metafields && live.complete.metafields;
  const changed: LiveMetafield[] = [];
  const remove: MetafieldName[] = [];
  const kept: KeptPart[] = [];
  for (const one of oursOf(sentAfter, sentBefore)) {
    const name = metafieldName(one);
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
    ours: written?.get(metafieldName(one))?.value,
    now: now?.get(metafieldName(one))?.value,
  });
  return {
    set: null,
    remove,
    kept: [
      ...kept,
      ...lost.map((one) => keptPart('metafields', metafieldName(one), values(one), 'cannot-restore')),
    ],
  };
}

function oursOf(sentAfter: DraftProduct, sentBefore: DraftProduct | null): MetafieldName[] {
  const all = [...bookkeeping, ...sentAfter.metafields, ...(sentBefore?.metafields ?? [])];
  return [...byName(all).values()];
}

/** Null if the list contains metafields that we may not write. */
function completeList(
  live: readonly LiveMetafield[],
  changed: readonly LiveMetafield[],
  removed: readonly MetafieldName[],
): MetafieldInput[] | null {
  const isIn = (list: readonly MetafieldName[], one: MetafieldName) =>
    list.some((other) => metafieldName(other) === metafieldName(one));
  const others = live.filter((one) => !isIn(changed, one) && !isIn(removed, one));
  if (others.some(({ namespace }) => reservedNamespace.test(namespace))) return null;
  // The definition of our id has the type.
  return [...others, ...changed].map(({ namespace, key, value, type }) =>
    isSame({ namespace, key }, bookkeeping[0]) ? { namespace, key, value } : { namespace, key, value, type },
  );
}

/** Whether a metafield is of our namespace, whose values nobody else sets. */
export const isOwn = ({ namespace }: MetafieldName): boolean => namespace === ourNamespace;

type Valued = MetafieldName & { type?: string; value: string };

const isSameValue = (one: Valued, other: Valued): boolean => metafieldText(one) === metafieldText(other);

const inStore = (live: LiveProduct, one: MetafieldName): LiveMetafield | undefined =>
  live.metafields.find((other) => metafieldName(other) === metafieldName(one));

export const hasMetafield = (live: LiveProduct, one: MetafieldName): boolean =>
  inStore(live, one) !== undefined;

/** Whether the store has a metafield with the same value, however it writes it: 2.50 kg is 2.5 KILOGRAMS. */
export function isThere(live: LiveProduct, one: Valued): boolean {
  const is = inStore(live, one);
  return is !== undefined && isSameValue(is, one);
}

/**
 * The draft without changes of metafields that are not ours to change: the store has another value than the one that
 * we sent last, or the product's list of metafields cannot be written. These keep what was sent; `notSent` names them.
 */
export function changesOfOurs(
  draft: DraftProduct,
  { base, live }: { base: DraftProduct; live: LiveProduct },
): { draft: DraftProduct; notSent: string[] } {
  const [next, before] = [byName(draft.metafields), byName(base.metafields)];
  const changed = [...new Map([...before, ...next]).values()].filter(
    (one) =>
      !isOwn(one) &&
      canonicalJson(next.get(metafieldName(one))) !== canonicalJson(before.get(metafieldName(one))),
  );
  const refused = changed.flatMap((one): [string, string][] => {
    const name = metafieldName(one);
    const [wanted, was, is] = [next.get(name), before.get(name), inStore(live, one)];
    if (!carriesHash(live)) return [[name, 'metafields of other apps can’t be merged']];
    const isOurs = was ? is !== undefined && isSameValue(is, was) : is === undefined;
    const isBack = wanted ? is !== undefined && isSameValue(is, wanted) : is === undefined;
    return isOurs || isBack ? [] : [[name, 'changed in the store, which keeps its value']];
  });
  if (refused.length === 0) return { draft, notSent: [] };
  const isRefused = new Set(refused.map(([name]) => name));
  const kept = base.metafields.filter((one) => isRefused.has(metafieldName(one)));
  const own = draft.metafields.filter((one) => !isRefused.has(metafieldName(one)));
  const order = [...new Map([...before, ...next]).keys()];
  const placeOf = (one: MetafieldName) => order.indexOf(metafieldName(one));
  return {
    draft: { ...draft, metafields: [...own, ...kept].toSorted((a, b) => placeOf(a) - placeOf(b)) },
    notSent: refused.map(([name, reason]) => `metafield ${name} (${reason})`),
  };
}

/** Whether an update of a product writes the hash of its draft: its list of metafields is written whole, or not. */
export const carriesHash = ({ complete, metafields }: LiveProduct): boolean =>
  complete.metafields && !metafields.some(({ namespace }) => reservedNamespace.test(namespace));

/** Null if the list cannot be sent: it was not read completely, or contains metafields that we may not write. */
export function mergedMetafields(
  ours: MetafieldInput[],
  next: IntendedProduct,
  sent: IntendedProduct,
  live: LiveProduct,
): MetafieldInput[] | null {
  if (!carriesHash(live)) return null;
  const known = new Set([...ours, ...bookkeeping, ...next.metafields, ...sent.metafields].map(metafieldName));
  const theirs = live.metafields.filter((one) => !known.has(metafieldName(one)));
  // Metafields that we did not change keep the store's value.
  const [sentByName, liveByName] = [byName(sent.metafields), byName(live.metafields)];
  const merged = next.metafields.flatMap((one) => {
    const isChanged = canonicalJson(one) !== canonicalJson(sentByName.get(metafieldName(one)));
    return isChanged ? one : (liveByName.get(metafieldName(one)) ?? []);
  });
  return [...ours, ...merged, ...theirs];
}

/** The metafields of every write. With a `type` for our id, the store returns METAFIELD_MISMATCH. */
export function ourMetafields(externalId: string, draft: DraftProduct): MetafieldInput[] {
  return [
    { namespace: ourNamespace, key: externalIdKey, value: externalId },
    { namespace: ourNamespace, key: payloadKey, value: payloadHash(draft), type: 'single_line_text_field' },
  ];
}
