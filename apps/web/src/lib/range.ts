/** The items between both in the order of the list, or only `to` without a `from` among them. */
export function rangeOf<Item>(items: readonly Item[], from: Item | null, to: Item): readonly Item[] {
  const [a, b] = [from === null ? -1 : items.indexOf(from), items.indexOf(to)];
  return a === -1 ? [to] : items.slice(Math.min(a, b), Math.max(a, b) + 1);
}

/** A set of at most `most` items with the changed ones added or removed. */
export function withChanged<Item>(
  items: Iterable<Item>,
  changed: readonly Item[],
  isOn: boolean,
  most = Number.POSITIVE_INFINITY,
): Set<Item> {
  const next = new Set(items);
  for (const item of changed) {
    if (!isOn) next.delete(item);
    else if (next.size < most) next.add(item);
  }
  return next;
}
