import { canonicalJson } from '@draftshelf/domain/base/canonical-json';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { KeptPart, UndoPart } from '@draftshelf/domain/push/push-undo';
import type { Collection } from '../collections.ts';
import type { LiveProduct } from './live-product.ts';

/** A product that a push updated: its states before and after the push's writes and now, with our drafts. */
export type UndoStates = {
  before: LiveProduct;
  after: LiveProduct;
  live: LiveProduct;
  /** The draft that the store had from us before. Null if we had taken the product over. */
  sentBefore: DraftProduct | null;
  sentAfter: DraftProduct;
  collections: readonly Collection[];
  /** The images that the store still has as files. Undefined if not read yet. */
  filesInStore: { has(id: string): boolean } | undefined;
};

export const isEqual = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

/** Compares three states of a value. `ours-not`: not changed by us. `back`: the store has the earlier value again. */
export function compareThreeWay(
  before: unknown,
  after: unknown,
  live: unknown,
): 'ours-not' | 'restore' | 'back' | 'changed' {
  if (isEqual(before, after)) return 'ours-not';
  if (isEqual(live, after)) return 'restore';
  return isEqual(live, before) ? 'back' : 'changed';
}

const shownMax = 300;

/** Returns a value as the operator sees it, cut after 300 characters. Null if there is none. */
function shown(value: string | number | null | undefined): string | null {
  if (value === null || value === undefined || value === '') return null;
  const text = String(value);
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}

type Values = Record<'before' | 'ours' | 'now', string | number | null | undefined>;

export const toKeptPart = (
  part: UndoPart,
  name: string,
  { before, ours, now }: Values,
  reason: KeptPart['reason'] = 'changed',
): KeptPart => ({ part, name, before: shown(before), ours: shown(ours), now: shown(now), reason });

/** Returns the key of a variant whose id is unknown: its options with their values. */
export const optionKey = (variant: { options: unknown }): string => canonicalJson(variant.options);

export const mapById = <T extends { id: string }>(items: readonly T[]): Map<string, T> =>
  new Map(items.map((one) => [one.id, one]));

/** Returns whether the items that are in both lists have the same order in both. */
export function isInSameOrder(items: readonly { id: string }[], others: readonly { id: string }[]): boolean {
  const [a, b] = [new Set(items.map(({ id }) => id)), new Set(others.map(({ id }) => id))];
  const inBoth = (list: readonly { id: string }[]) =>
    list.map(({ id }) => id).filter((id) => a.has(id) && b.has(id));
  return isEqual(inBoth(items), inBoth(others));
}

/** Sorts items into an earlier order. New items stay in place; `restored` items come after their old predecessors. */
export function sortAsBefore<T extends { id: string }>(
  items: readonly T[],
  earlier: readonly { id: string }[],
  restored: readonly T[],
): T[] {
  const places = new Map(earlier.map(({ id }, at) => [id, at]));
  const placeOf = ({ id }: { id: string }) => places.get(id) ?? -1;
  const known = items.filter(({ id }) => places.has(id)).toSorted((a, b) => placeOf(a) - placeOf(b));
  const ordered = items.map((one) => (places.has(one.id) ? (known.shift() ?? one) : one));
  for (const one of restored.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    const at = ordered.findLastIndex((other) => places.has(other.id) && placeOf(other) < placeOf(one));
    ordered.splice(at + 1, 0, one);
  }
  return ordered;
}
