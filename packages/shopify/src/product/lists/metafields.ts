import { canonicalJson } from '@draftshelf/domain/base/canonical-json';
import { metafieldText } from '@draftshelf/domain/base/metafield-values';
import { type MetafieldName, metafieldName } from '@draftshelf/domain/base/metafields';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import {
  externalIdKey,
  type MetafieldInput,
  type MetafieldToSet,
  ourNamespace,
  payloadKey,
} from '../../documents.ts';
import type { IntendedProduct } from '../intended-product.ts';
import { isReplaceable, type LiveMetafield, type LiveProduct } from '../live-product.ts';
import { isSame, keptPart, threeWay, type UndoSides } from '../undo-sides.ts';

/** Changes of single metafields of a product, which leave all others. */
export type MetafieldWrites = { set: MetafieldToSet[]; remove: MetafieldName[] };

export type RestoredMetafields = {
  /** The complete list to set; null: no earlier value is to be set, or only single ones can be. */
  list: MetafieldInput[] | null;
  writes: MetafieldWrites;
  kept: KeptPart[];
};

const byName = <One extends MetafieldName>(metafields: readonly One[]) =>
  new Map(metafields.map((one) => [metafieldName(one), one]));

/** Metafields that identify the product and our payload, and are no values of it. */
const bookkeeping: readonly MetafieldName[] = [externalIdKey, payloadKey].map((key) => ({
  namespace: ourNamespace,
  key,
}));
const bookkeepingNames = new Set(bookkeeping.map(metafieldName));
export const isBookkeeping = (one: MetafieldName) => bookkeepingNames.has(metafieldName(one));

/** Decides key by key: our metafields get earlier values, are removed or stay. Others' are never touched. */
export function restoreMetafields(sides: UndoSides): RestoredMetafields {
  const { before, after, live, sentBefore, sentAfter } = sides;
  const [earlier, written, now] = [before, after, live].map(({ metafields }) => byName(metafields));
  const isRead = before.complete.metafields && after.complete.metafields && live.complete.metafields;
  const changed: LiveMetafield[] = [];
  const remove: MetafieldName[] = [];
  const kept: KeptPart[] = [];
  const drafts = [...sentAfter.metafields, ...(sentBefore?.metafields ?? [])];
  for (const one of byName<MetafieldName>([...bookkeeping, ...drafts]).values()) {
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
  const list = changed.length > 0 && isRead ? completeList(live, changed, remove) : null;
  const set = list ? [] : changed.map((one) => toSet(live, withoutIdType(one)));
  return { list, writes: { set, remove }, kept };
}

/** Null if the list of the store cannot be replaced. */
function completeList(
  live: LiveProduct,
  changed: readonly LiveMetafield[],
  removed: readonly MetafieldName[],
): MetafieldInput[] | null {
  if (!isReplaceable(live)) return null;
  const left = new Set([...changed, ...removed].map(metafieldName));
  const others = live.metafields.filter((one) => !left.has(metafieldName(one)));
  return [...others, ...changed].map(withoutIdType);
}

/** The definition of our id has the type. */
const withoutIdType = ({ namespace, key, value, type }: LiveMetafield): MetafieldInput =>
  isSame({ namespace, key }, bookkeeping[0]) ? { namespace, key, value } : { namespace, key, value, type };

/** Whether a metafield is of our namespace, in which only we write. */
export const isOwn = ({ namespace }: MetafieldName): boolean => namespace === ourNamespace;

type Valued = MetafieldName & { type?: string; value: string };

const inStore = (live: LiveProduct, one: MetafieldName): LiveMetafield | undefined =>
  live.metafields.find((other) => metafieldName(other) === metafieldName(one));

export const hasMetafield = (live: LiveProduct, one: MetafieldName): boolean =>
  inStore(live, one) !== undefined;

/** Whether the store has a metafield with the same value in any notation: 2.50 kg is 2.5 KILOGRAMS. */
export function isThere(live: LiveProduct, one: Valued): boolean {
  const is = inStore(live, one);
  return is !== undefined && metafieldText(is) === metafieldText(one);
}

/**
 * Whether a product has the metafields of a write as it must have left them: with the values that were sent, or those
 * of before, and without the ones that it took back.
 */
export function hasWritten(
  live: LiveProduct,
  write: { sent: DraftProduct; sentBefore: DraftProduct | null; before: LiveProduct | null },
): boolean {
  const isLeft = (one: MetafieldName) => {
    const was = write.before && inStore(write.before, one);
    return was != null && isThere(live, was);
  };
  const next = byName(write.sent.metafields);
  const ours = [...write.sent.metafields, ...(write.sentBefore?.metafields ?? [])];
  return ours.every((one) => isAsWanted(live, next, one) || isLeft(one));
}

/** Whether the store has a metafield as a draft's metafields want it, or lacks it as they do. */
function isAsWanted(live: LiveProduct, next: ReadonlyMap<string, Valued>, one: MetafieldName): boolean {
  const wanted = next.get(metafieldName(one));
  return wanted ? isThere(live, wanted) : !hasMetafield(live, one);
}

/** The metafields that one draft has and another lacks or has with another value, and those that it lacks. */
function changedBetween(draft: DraftProduct, base: DraftProduct): DraftProduct['metafields'] {
  const [next, before] = [byName(draft.metafields), byName(base.metafields)];
  return [...new Map([...before, ...next]).values()].filter((one) => {
    const name = metafieldName(one);
    return canonicalJson(next.get(name)) !== canonicalJson(before.get(name));
  });
}

type Sides = { base: DraftProduct; live: LiveProduct };

/** A draft without some changes since an earlier draft, and these in words for the operator. */
export type OwnedDraft = { draft: DraftProduct; notSent: string[] };

/**
 * The draft without changes of metafields that are not ours to change: the store has another value than the one that
 * we sent last, or more metafields than are read. These keep what was sent; `notSent` names them.
 */
export function changesOfOurs(draft: DraftProduct, { base, live }: Sides): OwnedDraft {
  const [next, before] = [byName(draft.metafields), byName(base.metafields)];
  return withoutChanges(draft, base, (one) => {
    if (isOwn(one)) return null;
    const isUnread = !hasMetafield(live, one) && !live.complete.metafields;
    if (isUnread) return 'the product has more metafields than are read';
    const isOursOrBack = [before, next].some((metafields) => isAsWanted(live, metafields, one));
    return isOursOrBack ? null : 'changed in the store, which keeps its value';
  });
}

/** The draft without the changes of metafields that the store does not have, for a reason. */
export function changesInStore(draft: DraftProduct, { base, live }: Sides, reason: string): OwnedDraft {
  const next = byName(draft.metafields);
  return withoutChanges(draft, base, (one) => (isAsWanted(live, next, one) ? null : reason));
}

/** `refusal`: why a change is left out; null: it is not. */
function withoutChanges(
  draft: DraftProduct,
  base: DraftProduct,
  refusal: (one: DraftProduct['metafields'][number]) => string | null,
): OwnedDraft {
  const refused = new Map(
    changedBetween(draft, base).flatMap((one): [string, string][] => {
      const reason = refusal(one);
      return reason === null ? [] : [[metafieldName(one), reason]];
    }),
  );
  if (refused.size === 0) return { draft, notSent: [] };
  const isRefused = (one: MetafieldName) => refused.has(metafieldName(one));
  const kept = [...draft.metafields.filter((one) => !isRefused(one)), ...base.metafields.filter(isRefused)];
  const order = [...byName([...base.metafields, ...draft.metafields]).keys()];
  const placeOf = (one: MetafieldName) => order.indexOf(metafieldName(one));
  return {
    draft: { ...draft, metafields: kept.toSorted((a, b) => placeOf(a) - placeOf(b)) },
    notSent: [...refused].map(([name, reason]) => `metafield ${name} (${reason})`),
  };
}

/** A metafield to set over the value that was read. One of ours that was not read is written over any value. */
function toSet(live: LiveProduct, one: MetafieldInput): MetafieldToSet {
  const isRead = live.complete.metafields || !isOwn(one);
  return { ...one, ...(isRead && { compareDigest: live.digests?.[metafieldName(one)] ?? null }) };
}

/**
 * The changes of a draft since an earlier one that the store does not have yet. Our id comes first, so that the product
 * is found by it, and the hash last: it shows that all others have arrived.
 */
export function metafieldWrites(
  draft: DraftProduct,
  { base, live, ours }: Sides & { ours: readonly MetafieldInput[] },
): MetafieldWrites {
  const next = byName(draft.metafields);
  const changed = changedBetween(draft, base);
  const values = changed.flatMap((one) => next.get(metafieldName(one)) ?? []);
  const all = [...ours.slice(0, 1), ...values, ...ours.slice(1)];
  return {
    set: all.filter((one) => !isThere(live, one)).map((one) => toSet(live, one)),
    remove: changed
      .filter((one) => !next.has(metafieldName(one)) && hasMetafield(live, one))
      .map(({ namespace, key }) => ({ namespace, key })),
  };
}

/** The metafields of a product after writes. */
export function metafieldsAfter(live: LiveProduct, { set, remove }: MetafieldWrites): MetafieldInput[] {
  const gone = new Set(remove.map(metafieldName));
  return [...byName<MetafieldInput>([...live.metafields, ...set]).values()].filter(
    (one) => !gone.has(metafieldName(one)),
  );
}

/** Null if the list cannot be sent: it was not read completely, or contains metafields that we may not write. */
export function mergedMetafields(
  ours: readonly MetafieldInput[],
  next: IntendedProduct,
  sent: IntendedProduct,
  live: LiveProduct,
): MetafieldInput[] | null {
  if (!isReplaceable(live)) return null;
  const known = new Set([...ours, ...bookkeeping, ...next.metafields, ...sent.metafields].map(metafieldName));
  const theirs = live.metafields.filter((one) => !known.has(metafieldName(one)));
  // Metafields that we did not change keep the store’s value.
  const [sentByName, liveByName] = [byName(sent.metafields), byName(live.metafields)];
  const merged = next.metafields.flatMap((one) => {
    const isChanged = canonicalJson(one) !== canonicalJson(sentByName.get(metafieldName(one)));
    return isChanged ? one : (liveByName.get(metafieldName(one)) ?? []);
  });
  return [...ours, ...merged, ...theirs];
}

/** The metafields of every write. With a `type` for our id, the store returns METAFIELD_MISMATCH. */
export function ourMetafields(externalId: string, hash: string): MetafieldInput[] {
  return [
    { namespace: ourNamespace, key: externalIdKey, value: externalId },
    { namespace: ourNamespace, key: payloadKey, value: hash, type: 'single_line_text_field' },
  ];
}
