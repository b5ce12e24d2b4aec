import { canonicalJson } from '@draftshelf/domain/base/canonical-json';
import { formatMetafieldValue } from '@draftshelf/domain/base/metafield-values';
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
import { canReplaceMetafields, type LiveMetafield, type LiveProduct } from '../live-product.ts';
import { compareThreeWay, isEqual, toKeptPart, type UndoStates } from '../undo-sides.ts';

/** Changes of single metafields of a product. All other metafields stay. */
export type MetafieldWrites = { set: MetafieldToSet[]; remove: MetafieldName[] };

export type RestoredMetafields = {
  /** The complete list to set. Null if no earlier value is to be set, or if only single metafields can be set. */
  list: MetafieldInput[] | null;
  writes: MetafieldWrites;
  kept: KeptPart[];
};

const byName = <One extends MetafieldName>(metafields: readonly One[]) =>
  new Map(metafields.map((one) => [metafieldName(one), one]));

/** Metafields that identify the product and our payload, so they are not values of the product. */
const bookkeeping: readonly MetafieldName[] = [externalIdKey, payloadKey].map((key) => ({
  namespace: ourNamespace,
  key,
}));
const bookkeepingNames = new Set(bookkeeping.map(metafieldName));
export const isBookkeepingMetafield = (one: MetafieldName) => bookkeepingNames.has(metafieldName(one));

/** Decides key by key whether our metafields get earlier values, are removed or stay. Ignores all other metafields. */
export function restoreMetafields(sides: UndoStates): RestoredMetafields {
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
    const next = compareThreeWay(was ?? null, ours ?? null, is ?? null);
    if (next === 'restore' && was) changed.push(was);
    else if (next === 'restore' && isRead) remove.push({ namespace: one.namespace, key: one.key });
    else if ((next === 'restore' || next === 'changed') && !isBookkeepingMetafield(one)) {
      const values = { before: was?.value, ours: ours?.value, now: is?.value };
      kept.push(toKeptPart('metafields', name, values, next === 'restore' ? 'cannot-restore' : 'changed'));
    }
  }
  const list = changed.length > 0 && isRead ? completeList(live, changed, remove) : null;
  const set = list ? [] : changed.map((one) => toSet(live, withoutIdType(one)));
  return { list, writes: { set, remove }, kept };
}

/** Returns the store's complete list with earlier values. Null if the list cannot be replaced. */
function completeList(
  live: LiveProduct,
  changed: readonly LiveMetafield[],
  removed: readonly MetafieldName[],
): MetafieldInput[] | null {
  if (!canReplaceMetafields(live)) return null;
  const left = new Set([...changed, ...removed].map(metafieldName));
  const others = live.metafields.filter((one) => !left.has(metafieldName(one)));
  return [...others, ...changed].map(withoutIdType);
}

/** Omits the type of our id, because the definition of our id sets the type. */
const withoutIdType = ({ namespace, key, value, type }: LiveMetafield): MetafieldInput =>
  isEqual({ namespace, key }, bookkeeping[0]) ? { namespace, key, value } : { namespace, key, value, type };

/** Returns whether a metafield is in our namespace, in which only we write. */
export const isOwn = ({ namespace }: MetafieldName): boolean => namespace === ourNamespace;

type Valued = MetafieldName & { type?: string; value: string };

const inStore = (live: LiveProduct, one: MetafieldName): LiveMetafield | undefined =>
  live.metafields.find((other) => metafieldName(other) === metafieldName(one));

export const hasMetafield = (live: LiveProduct, one: MetafieldName): boolean =>
  inStore(live, one) !== undefined;

/** Returns whether the store has a metafield with the same value in any notation: 2.50 kg equals 2.5 KILOGRAMS. */
export function isThere(live: LiveProduct, one: Valued): boolean {
  const is = inStore(live, one);
  return is !== undefined && formatMetafieldValue(is) === formatMetafieldValue(one);
}

/**
 * Returns whether each metafield of a write has the sent value, has been removed as intended, or still has the value
 * from before the write.
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

/** Returns whether a metafield is in the store as in a draft: with the same value, or absent from both. */
function isAsWanted(live: LiveProduct, next: ReadonlyMap<string, Valued>, one: MetafieldName): boolean {
  const wanted = next.get(metafieldName(one));
  return wanted ? isThere(live, wanted) : !hasMetafield(live, one);
}

/** Returns the metafields whose values differ between two drafts, including those that only one of them has. */
function changedBetween(draft: DraftProduct, base: DraftProduct): DraftProduct['metafields'] {
  const [next, before] = [byName(draft.metafields), byName(base.metafields)];
  return [...new Map([...before, ...next]).values()].filter((one) => {
    const name = metafieldName(one);
    return canonicalJson(next.get(name)) !== canonicalJson(before.get(name));
  });
}

type Sides = { base: DraftProduct; live: LiveProduct };

/** A draft without some of the changes since an earlier draft. `notSent` names these changes for the operator. */
export type ReducedDraft = { draft: DraftProduct; notSent: string[] };

/**
 * Returns a draft without changes of metafields outside our namespace that the store has changed since our last write
 * or that were not read. Such metafields keep the value that was sent last; `notSent` names them.
 */
export function omitForeignChanges(draft: DraftProduct, { base, live }: Sides): ReducedDraft {
  const [next, before] = [byName(draft.metafields), byName(base.metafields)];
  return withoutChanges(draft, base, (one) => {
    if (isOwn(one)) return null;
    const isUnread = !hasMetafield(live, one) && !live.complete.metafields;
    if (isUnread) return 'the product has more metafields than are read';
    const isOursOrBack = [before, next].some((metafields) => isAsWanted(live, metafields, one));
    return isOursOrBack ? null : 'changed in the store, which keeps its value';
  });
}

/** Returns a draft without those changes of metafields that did not reach the store. `reason`: why they did not. */
export function omitUnsavedChanges(draft: DraftProduct, { base, live }: Sides, reason: string): ReducedDraft {
  const next = byName(draft.metafields);
  return withoutChanges(draft, base, (one) => (isAsWanted(live, next, one) ? null : reason));
}

/** Returns a draft without some changes. `refusal` returns why a change is left out, or null to keep the change. */
function withoutChanges(
  draft: DraftProduct,
  base: DraftProduct,
  refusal: (one: DraftProduct['metafields'][number]) => string | null,
): ReducedDraft {
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

/** Returns a write, which fails if the value has changed. In a cut list, our own metafields are not checked. */
function toSet(live: LiveProduct, one: MetafieldInput): MetafieldToSet {
  const isRead = live.complete.metafields || !isOwn(one);
  return { ...one, ...(isRead && { compareDigest: live.digests?.[metafieldName(one)] ?? null }) };
}

/**
 * Returns the changes since an earlier draft that the store does not have yet. Our id comes first, so that the product
 * can be found by our id, and the hash last, because the hash proves that all other metafields have arrived.
 */
export function buildMetafieldWrites(
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

/** Returns the metafields of a product after writes. */
export function applyMetafieldWrites(live: LiveProduct, { set, remove }: MetafieldWrites): MetafieldInput[] {
  const gone = new Set(remove.map(metafieldName));
  return [...byName<MetafieldInput>([...live.metafields, ...set]).values()].filter(
    (one) => !gone.has(metafieldName(one)),
  );
}

/** Returns the complete list to send. Null if the store's list cannot be replaced (see `canReplaceMetafields`). */
export function mergeMetafields(
  ours: readonly MetafieldInput[],
  next: IntendedProduct,
  sent: IntendedProduct,
  live: LiveProduct,
): MetafieldInput[] | null {
  if (!canReplaceMetafields(live)) return null;
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

/** Returns the metafields of every write. With a `type` for our id, the store would answer METAFIELD_MISMATCH. */
export function createOurMetafields(externalId: string, hash: string): MetafieldInput[] {
  return [
    { namespace: ourNamespace, key: externalIdKey, value: externalId },
    { namespace: ourNamespace, key: payloadKey, value: hash, type: 'single_line_text_field' },
  ];
}
