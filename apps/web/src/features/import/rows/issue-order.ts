/** The names that have rows, most rows first; names with as many in the order of `names`. */
export function byCount<Name extends string>(
  names: readonly Name[],
  counts: Partial<Record<Name, number>>,
): Name[] {
  return names
    .filter((name) => (counts[name] ?? 0) > 0)
    .toSorted((one, other) => (counts[other] ?? 0) - (counts[one] ?? 0));
}
