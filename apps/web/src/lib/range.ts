/** Returns the items between `from` and `to`, both included; only `to` if `from` is not in the list. */
export function sliceBetween<Item>(items: readonly Item[], from: Item | null, to: Item): readonly Item[] {
  const [a, b] = [from === null ? -1 : items.indexOf(from), items.indexOf(to)];
  return a === -1 ? [to] : items.slice(Math.min(a, b), Math.max(a, b) + 1);
}

/** Returns the items as a set, with `changed` added or removed. The set gets at most `most` items. */
export function changeMembership<Item>(
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
